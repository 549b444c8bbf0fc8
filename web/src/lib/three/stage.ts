// The board in space, drawn by three.js when something changes and not before. It is told what to show
// (show, paint) and asked what lies under a pointer (cellAt); it knows no rule.

import {
  BufferGeometry,
  CylinderGeometry,
  DirectionalLight,
  Group,
  HemisphereLight,
  Line,
  LineBasicMaterial,
  LineLoop,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
  PCFShadowMap,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { type Point, RADIUS, boardSize, centre, directionTo } from "../look/geometry";
import type { Seen } from "../table/parse";
import type { BoardInfo, Explained, Spot } from "../table/types";
import { DOT, RING, THICK, bodyOf, extruded, flatSymbol, isKept } from "./models";
import { cellBody, tileBody } from "./outlines";
import type { Piece } from "./pieces";

const FLOOR = 3;
const DROP = 60;
const SETTLE = 180;
const STEEPEST = 0.12;
const FLATTEST = 1.45;
const FIELD = 26;
/** Where everybody begins: so far from straight above. */
const TILT = 0.66;

/** The colours that the page wears. */
export interface Paint {
  symbols: string[];
  cell: string;
  lines: string;
  tile: string;
  levels: string[];
  marks: string;
  raised: string;
  onTile: string;
  text: string;
}

/** Everything to be seen. */
export interface Sight {
  pieces: readonly Piece[];
  seen: readonly Seen[];
  /** Cells to be marked as permitted. */
  permitted: readonly number[];
  spot: Spot | null;
  ghost: readonly [number, number] | null;
  explained: Explained | null;
  /** The cells of the last moves. */
  last: readonly [number, number][];
  /** The piece that was laid just now, and its cells. */
  fresh: { key: string; cells: readonly number[] } | null;
}

export class Stage {
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(FIELD, 1, 50, 9000);
  readonly #controls: OrbitControls;
  readonly #columns: Mesh[] = [];
  readonly #floor = new Group();
  readonly #things = new Group();
  readonly #points: Point[];
  readonly #ray = new Raycaster();
  #paint: Paint | null = null;
  #sight: Sight | null = null;
  #heights: number[] = [];
  #due = 0;
  #settling = 0;
  /** The piece that has come down: once is enough. */
  #settled: string | null = null;
  /** Whether somebody has moved the camera: then it stays where it is when the window changes. */
  #moved = false;

  constructor(
    canvas: HTMLCanvasElement,
    readonly board: BoardInfo,
    readonly onView: () => void,
  ) {
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#points = board.cells.map(centre);
    this.#scene.add(this.#floor, this.#things);
    this.#light();
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.enablePan = false;
    this.#controls.minPolarAngle = STEEPEST;
    this.#controls.maxPolarAngle = FLATTEST;
    this.#controls.addEventListener("change", () => this.draw());
    this.#controls.addEventListener("start", () => (this.#moved = true));
    this.#columns = this.#points.map(([x, y], n) => {
      const column = new Mesh(new CylinderGeometry(RADIUS, RADIUS, 1, 6), new MeshBasicMaterial());
      column.position.set(x, 0, y);
      column.userData["cell"] = n;
      return column;
    });
    this.reset();
  }

  /** Look from where everybody begins. */
  reset(): void {
    this.#moved = false;
    const home = this.#home();
    this.#controls.minDistance = home * 0.35;
    this.#controls.maxDistance = home * 1.5;
    this.#controls.target.set(0, THICK, 0);
    this.#camera.position.setFromSphericalCoords(home, TILT, 0).add(this.#controls.target);
    this.#controls.update();
    this.draw();
  }

  /** As far away as shows the whole board. */
  #home(): number {
    const { width, height } = boardSize(this.board.radius);
    const field = Math.tan((FIELD * Math.PI) / 360);
    const deep = (height / 2) * Math.cos(TILT) + 2 * THICK;
    // Its nearest row is nearer than its middle, and looks larger.
    const near = (height / 2) * Math.sin(TILT) * 0.62;
    return Math.max(deep / field, (width / 2 + 16) / (field * this.#camera.aspect)) + near;
  }

  /** Turn around the board, tilt, come nearer: by keys and buttons, as the pointer does. */
  move(around: number, tilt: number, nearer = 1): void {
    this.#moved = true;
    const offset = this.#camera.position.clone().sub(this.#controls.target);
    const distance = offset.length() / nearer;
    const polar = Math.acos(offset.y / offset.length()) + tilt;
    const turned = Math.atan2(offset.x, offset.z) + around;
    const clamped = Math.min(FLATTEST, Math.max(STEEPEST, polar));
    const far = Math.min(this.#controls.maxDistance, Math.max(this.#controls.minDistance, distance));
    this.#camera.position.setFromSphericalCoords(far, clamped, turned).add(this.#controls.target);
    this.#controls.update();
  }

  /** Whether the wheel and one finger belong to the camera; else they move the tile. */
  lend(camera: boolean): void {
    this.#controls.enableZoom = camera;
  }

  resize(width: number, height: number): void {
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / Math.max(1, height);
    this.#camera.updateProjectionMatrix();
    if (this.#moved) this.draw();
    else this.reset();
  }

  paint(paint: Paint): void {
    this.#paint = paint;
    this.#lay();
    if (this.#sight) this.show(this.#sight, false);
  }

  show(sight: Sight, moves: boolean): void {
    this.#sight = sight;
    this.#heights = sight.seen.map((cell) => cell.height);
    this.#columns.forEach((column, n) => {
      const height = Math.max(1, (this.#heights[n] ?? 0) * THICK);
      column.scale.y = height;
      column.position.y = height / 2;
      column.updateMatrixWorld();
    });
    if (!this.#paint) return;
    this.#clear(this.#things);
    for (const piece of sight.pieces) this.#addPiece(piece, this.#paint);
    for (const cell of sight.seen) if (cell.height && !this.#covered(cell.n)) this.#addSymbol(cell, this.#paint);
    for (const cell of sight.permitted) if (!this.#covered(cell)) this.#addMark(cell, this.#paint);
    for (const cells of sight.last) this.#addLast(cells, this.#paint);
    if (sight.spot && sight.ghost) this.#addGhost(sight.spot, sight.ghost, this.#paint);
    if (moves && sight.fresh && sight.fresh.key !== this.#settled) this.#settle(sight.fresh.key);
    this.#settled = sight.fresh?.key ?? null;
    this.draw();
  }

  /** The cell under a point of the canvas (-1 to 1 both ways) and where on the board that is. */
  cellAt(x: number, y: number): { cell: number; point: Point } | null {
    this.#ray.setFromCamera(new Vector2(x, y), this.#camera);
    const [hit] = this.#ray.intersectObjects(this.#columns, false);
    return hit ? { cell: hit.object.userData["cell"] as number, point: [hit.point.x, hit.point.z] } : null;
  }

  /** Where something over a cell appears on the canvas, in parts of its width and height. */
  onCanvas([x, y]: Point, height: number): [number, number] {
    const seen = new Vector3(x, height * THICK + 4, y).project(this.#camera);
    return [(seen.x + 1) / 2, (1 - seen.y) / 2];
  }

  /** Draw once, soon. */
  draw(): void {
    if (this.#due) return;
    this.#due = requestAnimationFrame(() => {
      this.#due = 0;
      this.#renderer.render(this.#scene, this.#camera);
      this.onView();
    });
  }

  leave(): void {
    cancelAnimationFrame(this.#due);
    cancelAnimationFrame(this.#settling);
    this.#controls.dispose();
    this.#clear(this.#floor);
    this.#clear(this.#things);
    this.#renderer.dispose();
  }

  #light(): void {
    const sun = new DirectionalLight("#fff", 1.5);
    const reach = boardSize(this.board.radius).width * 0.65;
    sun.position.set(-reach * 0.8, reach * 1.6, -reach * 0.5);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    sun.shadow.bias = -0.002;
    Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 1, far: reach * 4 });
    this.#scene.add(new HemisphereLight("#fff", "#cfc8bb", 2), sun);
  }

  /** The empty board. */
  #lay(): void {
    const paint = this.#paint;
    if (!paint) return;
    this.#clear(this.#floor);
    const body = extruded(cellBody(0.7), FLOOR);
    const light = new MeshLambertMaterial({ color: paint.cell });
    for (const [x, y] of this.#points) {
      const cell = new Mesh(body, light);
      cell.position.set(x, -FLOOR, y);
      cell.receiveShadow = true;
      this.#floor.add(cell);
    }
    const size = boardSize(this.board.radius).width / 2 + 14;
    const slab = new Mesh(new CylinderGeometry(size, size, 6, 6), new MeshLambertMaterial({ color: paint.lines }));
    slab.rotation.y = Math.PI / 6;
    slab.position.y = -FLOOR - 3.4;
    this.#floor.add(slab);
  }

  #addPiece(piece: Piece, paint: Paint): void {
    const stone = piece.kind === "cell" && (this.#sight?.seen[piece.cell]?.half ?? 0) < 0 && piece.level === 0;
    const colour = stone ? paint.lines : (paint.levels[Math.min(piece.level, paint.levels.length - 1)] ?? paint.tile);
    const mesh = new Mesh(bodyOf(piece), new MeshLambertMaterial({ color: colour }));
    const [x, y] = this.#points[piece.cell] ?? [0, 0];
    mesh.position.set(x, piece.level * THICK, y);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.userData["key"] = piece.key;
    this.#things.add(mesh);
  }

  #addSymbol(cell: Seen, paint: Paint): void {
    const drawn = flatSymbol(cell.colour, paint.symbols[cell.colour] ?? paint.text);
    const fresh = this.#sight?.fresh;
    if (fresh?.cells.includes(cell.n)) drawn.userData["key"] = fresh.key; // comes down with its tile
    if (cell.half < 0) {
      // On a stone's own light ground the symbol gets a dark disc, as everywhere where it would be too pale.
      const ground = new Mesh(new CylinderGeometry(RADIUS * 0.8, RADIUS * 0.8, 0.6, 6), new MeshBasicMaterial({ color: paint.tile }));
      this.#put(ground, cell.n, cell.height * THICK + 0.3);
    }
    this.#put(drawn, cell.n, cell.height * THICK + 0.9);
  }

  #addMark(cell: number, paint: Paint): void {
    const height = this.#heights[cell] ?? 0;
    const look = new MeshBasicMaterial({ color: height ? paint.raised : paint.marks });
    const mark = new Mesh(height ? RING : DOT, look);
    this.#put(mark, cell, height * THICK + 0.5);
  }

  #addLast([first, second]: readonly [number, number], paint: Paint): void {
    const height = Math.min(this.#heights[first] ?? 0, this.#heights[second] ?? 0);
    const way = directionTo(this.board.cells[first] ?? [0, 0], this.board.cells[second] ?? [0, 0]);
    if (way >= 0) this.#put(this.#outline(way, paint.onTile), first, height * THICK + 0.4);
  }

  /** The outline of a tile, as a line. */
  #outline(direction: number, colour: string): Line {
    const points = tileBody(direction, 3.4).map(([x, y]) => new Vector3(x, 0, y));
    return new LineLoop(new BufferGeometry().setFromPoints(points), new LineBasicMaterial({ color: colour }));
  }

  #addGhost(spot: Spot, ghost: readonly [number, number], paint: Paint): void {
    const level = this.#heights[spot.cell] ?? 0;
    const turned = spot.direction >= 3;
    const piece: Piece = { key: "ghost", kind: "tile", cell: turned ? spot.other : spot.cell, direction: spot.direction % 3, level };
    const colour = paint.levels[Math.min(level, paint.levels.length - 1)] ?? paint.tile;
    const body = new Mesh(bodyOf(piece), new MeshLambertMaterial({ color: colour, transparent: true, opacity: 0.72 }));
    const [x, y] = this.#points[piece.cell] ?? [0, 0];
    body.position.set(x, level * THICK + 1.5, y);
    this.#things.add(body);
    // Seen also behind what is higher.
    const outline = this.#outline(spot.direction, paint.text);
    (outline.material as LineBasicMaterial).depthTest = false;
    outline.renderOrder = 1;
    this.#put(outline, spot.cell, (level + 1) * THICK + 2);
    [spot.cell, spot.other].forEach((cell, n) => {
      const number = ghost[n] ?? 0;
      this.#put(flatSymbol(number, paint.symbols[number] ?? paint.text), cell, (level + 1) * THICK + 2.6);
    });
    for (const half of this.#sight?.explained?.halves ?? []) {
      const from = half.cell ? this.#numberOf(half.cell) : -1;
      for (const ray of from < 0 ? [] : half.rays) this.#addRay(from, ray.cells.map((cell) => this.#numberOf(cell)), half.colour, level, paint);
    }
  }

  /** A line of counted cells, over hill and dale. */
  #addRay(from: number, cells: number[], colour: number, level: number, paint: Paint): void {
    const way = [this.#at(from, (level + 1) * THICK + 5), ...cells.map((n) => this.#at(n, (this.#heights[n] ?? 0) * THICK + 5))];
    for (const [n, start] of way.entries()) {
      const end = way[n + 1];
      if (!end) continue;
      const length = start.distanceTo(end);
      const rod = new Mesh(new CylinderGeometry(1.7, 1.7, length, 8), new MeshBasicMaterial({ color: paint.symbols[colour] ?? paint.text }));
      rod.position.copy(start).add(end).multiplyScalar(0.5);
      rod.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), end.clone().sub(start).normalize());
      this.#things.add(rod);
    }
  }

  /** Let the newest piece come down. */
  #settle(key: string): void {
    const found = this.#things.children.filter((thing) => thing.userData["key"] === key);
    const goal = found.map((thing) => thing.position.y);
    const start = performance.now();
    const step = (now: number): void => {
      const part = Math.min(1, (now - start) / SETTLE);
      found.forEach((thing, n) => (thing.position.y = (goal[n] ?? 0) + DROP * (1 - part) ** 2));
      this.draw();
      if (part < 1) this.#settling = requestAnimationFrame(step);
    };
    cancelAnimationFrame(this.#settling);
    step(start);
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

  #put(thing: Object3D, cell: number, y: number): void {
    thing.position.copy(this.#at(cell, y));
    this.#things.add(thing);
  }

  #clear(group: Group): void {
    for (const thing of [...group.children]) {
      group.remove(thing);
      if (!(thing instanceof Mesh || thing instanceof Line)) continue;
      (thing.material as { dispose(): void }).dispose();
      const shape = thing.geometry as BufferGeometry;
      if (!isKept(shape)) shape.dispose();
    }
  }
}
