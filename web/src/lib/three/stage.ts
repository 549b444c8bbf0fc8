// The 3D board, rendered by three.js only when something changes. It is told what to show (show, paint) and asked what
// is under a pointer (cellAt); it knows no rules.

import {
  BackSide,
  type BufferGeometry,
  CylinderGeometry,
  DirectionalLight,
  Group,
  HemisphereLight,
  InstancedMesh,
  type Material,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshPhongMaterial,
  type Object3D,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  Raycaster,
  Scene,
  SpotLight,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { type Point, RADIUS, centre, corners, directionTo, wellOf } from "../look/geometry";
import type { Seen } from "../table/parse";
import type { BoardInfo, Explained, Spot } from "../table/types";
import { DOT, HAIR, RING, ROD, THICK, bodyOf, castShadow, edgeOf, extruded, grain, isKept, plateOf, rimOf, symbolOf, wellPlate } from "./models";
import { Orbit, fit, tiltFor } from "./orbit";
import { cellBody } from "./outlines";
import type { Piece } from "./pieces";

/** From the bottom of the tray to the ground that tiles lie on; the width of the rim, and its height above the ground.
    */
const FLOOR = 4;
const RIM = 17;
const ABOVE = 6;
const BELOW = 15;
/** How high a tile is held before it is laid, and the height it drops from. */
const LIFT = 7;
const DROP = 52;
const SETTLE = 240;
const FIELD = 28;

/** The colours of the page's current look. */
export interface Paint {
  symbols: string[];
  cell: string;
  floor: string;
  rim: string;
  shade: string;
  tile: string;
  levels: string[];
  slopes: string[];
  side: string;
  /** The edge of a tile where it is not lit. */
  edge: string;
  print: string;
  printEdge: string;
  ghost: string;
  last: string;
  marks: string;
  raised: string;
  text: string;
  /** Daylight, lamplight, or plain, without light and shade. */
  light: "day" | "lamp" | "plain";
}

/** Everything visible. */
export interface Sight {
  pieces: readonly Piece[];
  seen: readonly Seen[];
  /** Cells to mark as permitted. */
  permitted: readonly number[];
  spot: Spot | null;
  ghost: readonly [number, number] | null;
  explained: Explained | null;
  /** The cells of the last moves. */
  last: readonly (readonly [number, number])[];
  /** The piece that was just laid, and its cells. */
  fresh: { key: string; cells: readonly number[] } | null;
}

export class Stage {
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(FIELD, 1, 50, 9000);
  readonly #orbit = new Orbit();
  readonly #columns: Mesh[] = [];
  readonly #tray = new Group();
  /** The laid pieces, and those only considered: the former seldom change, the latter with every aim. */
  readonly #laid = new Group();
  readonly #thought = new Group();
  readonly #sky = new HemisphereLight();
  readonly #sun = new DirectionalLight();
  readonly #lamp = new SpotLight("#ffd7a0", 0, 0, 0.5, 1, 0);
  readonly #points: Point[];
  readonly #edge: number;
  readonly #ray = new Raycaster();
  #looks = new Map<string, Material>();
  #paint: Paint | null = null;
  #sight: Sight | null = null;
  #tops: number[] = [];
  /** The distance and height from which the whole board is seen. */
  #home = { far: 1000, up: 0 };
  #tilt = tiltFor(1);
  #due = 0;
  #time = 0;
  #settling = 0;
  /** The piece that has already settled, so that it happens only once. */
  #settled: string | null = null;

  constructor(
    canvas: HTMLCanvasElement,
    readonly board: BoardInfo,
    /** Whether the camera jumps to its goal instead of easing towards it. */
    readonly isStill: () => boolean,
    /** Called after each rendering; `rests`: nothing is moving any more. */
    readonly onView: (rests: boolean) => void,
  ) {
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.autoUpdate = false;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#points = board.cells.map(centre);
    this.#edge = wellOf(board.radius) + RIM;
    this.#scene.add(this.#tray, this.#laid, this.#thought, this.#sky, this.#sun, this.#lamp, this.#lamp.target);
    this.#light();
    this.#columns = this.#points.map(([x, y], n) => {
      const column = new Mesh(new CylinderGeometry(RADIUS, RADIUS, 1, 6), new MeshBasicMaterial());
      column.position.set(x, 0, y);
      column.userData["cell"] = n;
      return column;
    });
  }

  /** Return to the initial view. */
  reset(): void {
    this.#orbit.reset();
    this.draw();
  }

  /** Rotate around the board, tilt, zoom. */
  move(around: number, tilt: number, nearer = 1): void {
    this.#orbit.move(around, tilt, nearer);
    this.draw();
  }

  /** Fit the board into a frame of this size; the canvas is larger by a margin, for the shadow. */
  resize(width: number, height: number, [sides, ends]: Point): void {
    if (!width || !height) return;
    const full = height + 2 * ends;
    this.#renderer.setSize(width + 2 * sides, full, false);
    this.#camera.aspect = (width + 2 * sides) / full;
    this.#camera.updateProjectionMatrix();
    this.#tilt = tiltFor(width / height);
    const half = (Math.tan((FIELD * Math.PI) / 360) * height) / full;
    // The corners of the rim are rounded off.
    this.#home = fit(this.#edge / Math.cos(Math.PI / 6) - 9, BELOW, this.#tilt, { half, aspect: width / height });
    this.#orbit.settle(this.#tilt);
    this.draw();
  }

  paint(paint: Paint): void {
    this.#paint = paint;
    for (const look of this.#looks.values()) look.dispose();
    this.#looks = new Map();
    const { light } = paint;
    this.#sky.color.set(light === "lamp" ? "#a8c4c0" : "#fffaf2");
    this.#sky.groundColor.set(light === "lamp" ? "#2a1c10" : "#d8c6a8");
    this.#sky.intensity = { day: 1.75, lamp: 1, plain: 3.14 }[light];
    this.#sky.groundColor.set(light === "plain" ? "#fffaf2" : this.#sky.groundColor);
    this.#sun.color.set(light === "lamp" ? "#ffe2b8" : "#fff0dc");
    this.#sun.intensity = { day: 1.7, lamp: 0.8, plain: 0 }[light];
    this.#sun.castShadow = light !== "plain";
    this.#lamp.intensity = light === "lamp" ? 1.3 : 0;
    this.#lay(paint);
    const sight = this.#sight;
    this.#sight = null;
    if (sight) this.show(sight, false);
  }

  show(sight: Sight, moves: boolean): void {
    const before = this.#sight;
    this.#sight = sight;
    const paint = this.#paint;
    const same =
      before?.seen === sight.seen && before.pieces === sight.pieces && before.last === sight.last && before.fresh?.key === sight.fresh?.key;
    if (!same) this.#rise(sight);
    if (!paint) return;
    if (!same) {
      this.#clear(this.#laid);
      for (const piece of sight.pieces) this.#addPiece(piece, paint);
      for (const cell of sight.seen) if (cell.height) this.#addSymbol(cell, paint);
      for (const cells of sight.last) this.#addLast(cells, paint);
      this.#renderer.shadowMap.needsUpdate = true;
    }
    this.#clear(this.#thought);
    for (const cell of sight.permitted) if (!this.#covered(cell)) this.#addMark(cell, paint);
    if (sight.spot && sight.ghost) this.#addGhost(sight.spot, sight.ghost, paint);
    if (moves && sight.fresh && sight.fresh.key !== this.#settled) this.#settle(sight.fresh.key);
    this.#settled = sight.fresh?.key ?? null;
    this.draw();
  }

  /** The cell under a point of the canvas (-1 to 1 on both axes), and the point on the board. */
  cellAt(x: number, y: number): { cell: number; point: Point } | null {
    this.#ray.setFromCamera(new Vector2(x, y), this.#camera);
    const [hit] = this.#ray.intersectObjects(this.#columns, false);
    return hit ? { cell: hit.object.userData["cell"] as number, point: [hit.point.x, hit.point.z] } : null;
  }

  /** Where a point at a height of so many levels appears on the canvas, as fractions of its width and height. */
  onCanvas([x, y]: Point, height: number): Point {
    const seen = new Vector3(x, height * THICK, y).project(this.#camera);
    return [(seen.x + 1) / 2, (1 - seen.y) / 2];
  }

  /** The corners of a cell's top on the canvas. */
  corners(cell: number): Point[] {
    const height = (this.#tops[cell] ?? 0) / THICK;
    return corners(RADIUS, this.#points[cell]).map((corner) => this.onCanvas(corner, height));
  }

  /** Render in the next frame, and keep rendering until the camera has arrived. */
  draw(): void {
    if (this.#due) return;
    this.#due = requestAnimationFrame((now) => {
      this.#due = 0;
      const under = this.#orbit.step(this.isStill() ? Infinity : Math.min(50, now - (this.#time || now - 16)));
      this.#time = under ? now : 0;
      this.#look();
      this.#renderer.render(this.#scene, this.#camera);
      this.onView(!under);
      if (under) this.draw();
    });
  }

  leave(): void {
    cancelAnimationFrame(this.#due);
    cancelAnimationFrame(this.#settling);
    for (const group of [this.#tray, this.#laid, this.#thought]) this.#clear(group);
    for (const look of this.#looks.values()) look.dispose();
    this.#renderer.dispose();
  }

  /** Position the camera according to the orbit. */
  #look(): void {
    const { around, tilt, far } = this.#orbit.now;
    const { up } = this.#home;
    // From the initial view the board fills the frame; other views look at its centre.
    const home = Math.cos(around) * up;
    const target = new Vector3(0, home * Math.sin(this.#tilt), -home * Math.cos(this.#tilt)).multiplyScalar(Math.min(1, far));
    this.#camera.position.setFromSphericalCoords(this.#home.far * far, tilt, around).add(target);
    this.#camera.lookAt(target);
    this.#camera.updateMatrixWorld();
  }

  #light(): void {
    const reach = this.#edge * 1.2;
    this.#sun.position.set(-reach * 0.75, reach * 1.7, -reach * 0.55);
    this.#sun.shadow.mapSize.set(2048, 2048);
    this.#sun.shadow.bias = -0.0012;
    this.#sun.shadow.radius = 3;
    Object.assign(this.#sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 1, far: reach * 4 });
    this.#lamp.position.set(-reach * 0.3, reach * 2.2, reach * 0.2);
  }

  /** Raise the columns used for hit testing to the height of the pieces. */
  #rise(sight: Sight): void {
    this.#tops = sight.seen.map((cell) => this.#levels(cell) * THICK);
    this.#columns.forEach((column, n) => {
      const height = Math.max(1, this.#tops[n] ?? 0);
      column.scale.y = height;
      column.position.y = height / 2;
      column.updateMatrixWorld();
    });
  }

  /** Printed symbols have no height; start stones do. */
  #levels({ half, height }: Seen): number {
    return half < 0 && !this.board.loose ? 0 : height;
  }

  /** The empty board in its tray. */
  #lay(paint: Paint): void {
    this.#clear(this.#tray);
    const well = wellOf(this.board.radius);
    const cell = extruded(cellBody(1.3), FLOOR);
    const cells = new InstancedMesh(cell, this.#lit(paint.cell), this.#points.length);
    this.#points.forEach(([x, y], n) => cells.setMatrixAt(n, new Matrix4().setPosition(x, HAIR - FLOOR, y)));
    cells.receiveShadow = true;
    this.#tray.add(cells);
    const rim = new Mesh(rimOf(this.#edge, well, ABOVE + BELOW), this.#wood(paint));
    rim.position.y = -BELOW;
    rim.castShadow = rim.receiveShadow = true;
    const floor = new Mesh(wellPlate(well + 1), this.#lit(paint.floor));
    floor.position.y = -FLOOR;
    floor.receiveShadow = true;
    this.#tray.add(rim, floor);
    if (paint.light !== "plain") this.#tray.add(this.#shadow(paint));
    this.#renderer.shadowMap.needsUpdate = true;
  }

  #wood(paint: Paint): Material {
    if (paint.light === "plain") return this.#flat(paint.shade);
    return this.#known(`wood ${paint.rim}`, () => new MeshPhongMaterial({ color: paint.rim, map: grain(), specular: "#3a2f22", shininess: 18 }));
  }

  #shadow(paint: Paint): Mesh {
    const opacity = paint.light === "lamp" ? 0.8 : 0.5;
    const look = this.#known("shadow", () => new MeshBasicMaterial({ color: paint.shade, map: castShadow(), opacity, transparent: true, depthWrite: false }));
    const size = (this.#edge / 84) * 256;
    const ground = new Mesh(new PlaneGeometry(size, size).rotateX(-Math.PI / 2), look);
    ground.position.set(0, -BELOW - 0.5, this.#edge * 0.04);
    ground.renderOrder = -1;
    return ground;
  }

  #addPiece(piece: Piece, paint: Paint): void {
    const own = piece.level === 0 && piece.kind === "cell" && (this.#sight?.seen[piece.cell]?.half ?? 0) < 0;
    const stone = own && this.#sight?.seen[piece.cell]?.height === 1;
    if (stone && !this.board.loose) return; // printed, see #addSymbol
    const colour = stone ? paint.print : this.#colourAt(piece.level, paint);
    const mesh = new Mesh(bodyOf(piece), stone ? this.#lit(colour) : this.#lacquer(colour));
    mesh.castShadow = mesh.receiveShadow = true;
    this.#place(mesh, piece, piece.level * THICK);
    if (stone) return;
    // A bright edge separates one level from the next, and by lamplight a tile from the ground.
    const edge = piece.level ? (paint.slopes[0] ?? paint.edge) : paint.edge;
    const line = new Mesh(edgeOf(piece.kind === "cell" ? null : piece.direction, 1.9, piece.level ? 3.1 : 2.6), this.#flat(edge));
    this.#place(line, piece, (piece.level + 1) * THICK - HAIR + 0.06);
  }

  #place(mesh: Mesh, piece: Piece, y: number): void {
    const [x, z] = this.#points[piece.cell] ?? [0, 0];
    mesh.position.set(x, y, z);
    mesh.userData["key"] = piece.key;
    this.#laid.add(mesh);
  }

  #addSymbol(cell: Seen, paint: Paint): void {
    const top = this.#levels(cell) * THICK - HAIR;
    const ink = paint.symbols[cell.colour] ?? paint.text;
    const fresh = this.#sight?.fresh;
    const add = (shape: BufferGeometry, look: Material, y: number, z = 0): void => {
      const drawn = new Mesh(shape, look);
      if (fresh?.cells.includes(cell.n)) drawn.userData["key"] = fresh.key; // settles together with its tile
      this.#put(this.#laid, drawn, cell.n, y);
      drawn.position.z += z;
    };
    if (cell.half < 0) {
      const ground = top + (this.board.loose ? 0 : HAIR + 0.6);
      add(plateOf(null, this.board.loose ? 3.4 : 1.3), this.#flat(ink), ground + 0.06);
      add(plateOf(null, 5.4), this.#flat(paint.print), ground + 0.12);
      add(symbolOf(cell.colour, 1.12), this.#flat(paint.printEdge), ground + 0.18);
      add(symbolOf(cell.colour), this.#flat(ink), ground + 0.24);
      return;
    }
    // Inlaid: a dark copy shows below it.
    add(symbolOf(cell.colour), this.#flat("#000", 0.5), top + 0.1, 1.2);
    add(symbolOf(cell.colour), this.#flat(ink), top + 0.2);
  }

  #addMark(cell: number, paint: Paint): void {
    const top = this.#tops[cell] ?? 0;
    const mark = new Mesh(top ? RING : DOT, this.#flat(top ? paint.raised : paint.marks));
    this.#put(this.#thought, mark, cell, top + (top ? 0.2 : 0.4));
  }

  #addLast([first, second]: readonly [number, number], paint: Paint): void {
    const way = directionTo(this.board.cells[first] ?? [0, 0], this.board.cells[second] ?? [0, 0]);
    if (way < 0) return;
    const line = new Mesh(edgeOf(way, 2, 5), this.#flat(paint.last));
    if (this.#sight?.fresh?.cells.includes(first)) line.userData["key"] = this.#sight.fresh.key;
    this.#put(this.#laid, line, first, Math.min(this.#tops[first] ?? 0, this.#tops[second] ?? 0) - HAIR + 0.1);
  }

  #addGhost(spot: Spot, ghost: readonly [number, number], paint: Paint): void {
    const ground = this.#tops[spot.cell] ?? 0;
    const level = Math.round(ground / THICK);
    const turned = spot.direction >= 3;
    const piece: Piece = { key: "ghost", kind: "tile", cell: turned ? spot.other : spot.cell, direction: spot.direction % 3, level };
    this.#put(this.#thought, new Mesh(plateOf(piece.direction, -2), this.#flat("#000", 0.34)), piece.cell, ground + 0.3);
    this.#put(this.#thought, new Mesh(bodyOf(piece), this.#lacquer(this.#colourAt(level, paint))), piece.cell, ground + LIFT);
    const top = ground + THICK + LIFT - HAIR;
    // Visible even behind higher pieces.
    const line = new Mesh(edgeOf(spot.direction, 0.6, 3), this.#over(paint.ghost));
    line.renderOrder = 1;
    this.#put(this.#thought, line, spot.cell, top + 0.1);
    [spot.cell, spot.other].forEach((cell, n) => {
      const number = ghost[n] ?? 0;
      this.#put(this.#thought, new Mesh(symbolOf(number), this.#flat(paint.symbols[number] ?? paint.text)), cell, top + 0.2);
    });
    for (const half of this.#sight?.explained?.halves ?? []) {
      const from = half.cell ? this.#numberOf(half.cell) : -1;
      for (const ray of from < 0 ? [] : half.rays) this.#addRay(from, ray.cells.map((cell) => this.#numberOf(cell)), half.colour, top, paint);
    }
  }

  /** A line of counted cells, following the heights. */
  #addRay(from: number, cells: number[], colour: number, top: number, paint: Paint): void {
    const way = [this.#at(from, top + 4), ...cells.map((n) => this.#at(n, (this.#tops[n] ?? 0) + 5))];
    for (const [n, start] of way.entries()) {
      const end = way[n + 1];
      if (!end) continue;
      // The second is the dark outline of the first.
      for (const [width, look] of [
        [2.2, this.#flat(paint.symbols[colour] ?? paint.text)],
        [3.5, this.#behind(paint.side)],
      ] as const) {
        const rod = new Mesh(ROD, look);
        rod.scale.set(width, start.distanceTo(end) + width, width);
        rod.position.copy(start).add(end).multiplyScalar(0.5);
        rod.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), end.clone().sub(start).normalize());
        this.#thought.add(rod);
      }
    }
  }

  /** Let the newest piece drop into place. */
  #settle(key: string): void {
    const found = this.#laid.children.filter((thing) => thing.userData["key"] === key);
    const goal = found.map((thing) => thing.position.y);
    const start = performance.now();
    const step = (now: number): void => {
      const part = Math.min(1, Math.max(0, now - start) / SETTLE);
      found.forEach((thing, n) => (thing.position.y = (goal[n] ?? 0) + DROP * (1 - part ** 2)));
      this.#renderer.shadowMap.needsUpdate = true;
      this.draw();
      if (part < 1) this.#settling = requestAnimationFrame(step);
    };
    cancelAnimationFrame(this.#settling);
    step(start);
  }

  #colourAt(level: number, paint: Paint): string {
    return paint.levels[Math.min(level, paint.levels.length - 1)] ?? paint.tile;
  }

  // Materials: each is created once per paint.

  #known<Look extends Material>(key: string, make: () => Look): Material {
    const found = this.#looks.get(key) ?? make();
    this.#looks.set(key, found);
    return found;
  }

  #flat(color: string, opacity = 1): Material {
    return this.#known(`flat ${color} ${opacity}`, () => new MeshBasicMaterial({ color, opacity, transparent: opacity < 1, depthWrite: opacity === 1 }));
  }

  #over(color: string): Material {
    return this.#known(`over ${color}`, () => new MeshBasicMaterial({ color, depthTest: false }));
  }

  #behind(color: string): Material {
    return this.#known(`behind ${color}`, () => new MeshBasicMaterial({ color, side: BackSide }));
  }

  #lit(color: string): Material {
    return this.#paint?.light === "plain" ? this.#flat(color) : this.#known(`lit ${color}`, () => new MeshLambertMaterial({ color }));
  }

  #lacquer(color: string): Material {
    if (this.#paint?.light === "plain") return this.#flat(color);
    return this.#known(`lacquer ${color}`, () => new MeshPhongMaterial({ color, specular: "#3c424d", shininess: 60 }));
  }

  #covered(cell: number): boolean {
    const spot = this.#sight?.ghost ? this.#sight.spot : null;
    return spot !== null && spot !== undefined && (spot.cell === cell || spot.other === cell);
  }

  #numberOf([q, r]: readonly [number, number]): number {
    return this.board.cells.findIndex(([otherQ, otherR]) => q === otherQ && r === otherR);
  }

  #at(cell: number, y: number): Vector3 {
    const [x, z] = this.#points[cell] ?? [0, 0];
    return new Vector3(x, y, z);
  }

  #put(group: Group, thing: Object3D, cell: number, y: number): void {
    thing.position.copy(this.#at(cell, y));
    group.add(thing);
  }

  #clear(group: Group): void {
    for (const thing of [...group.children]) {
      group.remove(thing);
      if (!(thing instanceof Mesh)) continue;
      const shape = thing.geometry as BufferGeometry;
      if (!isKept(shape)) shape.dispose();
    }
  }
}
