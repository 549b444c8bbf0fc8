// The shapes of the 3D board, created once from the look's outlines.

import {
  type BufferGeometry,
  CanvasTexture,
  CylinderGeometry,
  ExtrudeGeometry,
  Path,
  RepeatWrapping,
  RingGeometry,
  SRGBColorSpace,
  Shape,
  ShapeGeometry,
  Vector2,
} from "three";
import { type Point, RADIUS } from "../look/geometry";
import { cellBody, hexagon, symbol, tileBody } from "./outlines";
import type { Piece } from "./pieces";

/** The thickness of a tile, in units of the flat drawing. */
export const THICK = 13;
/** Bodies end slightly below the next one, separated by a hairline. */
export const HAIR = 0.5;

/** Mark a permitted place on the ground, or on top of something. */
export const DOT = new CylinderGeometry(4, 4, 0.5, 20);
export const RING = new RingGeometry(RADIUS * 0.8, RADIUS * 0.88, 6, 1, Math.PI / 6).rotateX(-Math.PI / 2);
/** A piece of a ray, one unit long. */
export const ROD = new CylinderGeometry(1, 1, 1, 10);

const KEPT = new Map<string, BufferGeometry>([
  ["dot", DOT],
  ["ring", RING],
  ["rod", ROD],
]);

function kept(key: string, make: () => BufferGeometry): BufferGeometry {
  const found = KEPT.get(key) ?? make();
  KEPT.set(key, found);
  return found;
}

export function bodyOf(piece: Piece): BufferGeometry {
  return piece.kind === "cell"
    ? kept("cell", () => extruded(cellBody(), THICK))
    : kept(`tile ${piece.direction}`, () => extruded(tileBody(piece.direction), THICK));
}

/** A symbol, flat. */
export function symbolOf(colour: number, scale = 1): BufferGeometry {
  return kept(`symbol ${colour} ${scale}`, () => {
    const shapes = symbol(colour).map(({ points, holes }) => {
      const shape = shapeOf(points);
      shape.holes = holes.map((hole) => new Path(vectors(hole)));
      return shape;
    });
    return new ShapeGeometry(shapes).rotateX(-Math.PI / 2).scale(scale, 1, scale);
  });
}

/** A line along the edge of a tile or, without a direction, of a cell, between two distances inside the outline. */
export function edgeOf(direction: number | null, from: number, to: number): BufferGeometry {
  return kept(`edge ${direction} ${from} ${to}`, () => {
    const outline = (margin: number): Point[] => (direction === null ? cellBody(margin) : tileBody(direction, margin));
    const shape = shapeOf(outline(from));
    shape.holes = [new Path(vectors(outline(to)))];
    return new ShapeGeometry(shape).rotateX(-Math.PI / 2);
  });
}

/** A flat plate: the shadow below a tile, or a printed cell. */
export function plateOf(direction: number | null, margin: number): BufferGeometry {
  return kept(`plate ${direction} ${margin}`, () =>
    new ShapeGeometry(shapeOf(direction === null ? cellBody(margin) : tileBody(direction, margin))).rotateX(-Math.PI / 2),
  );
}

/** A body with this outline, standing on the ground, with bevelled edges that catch the light. */
export function extruded(points: readonly Point[], height: number): BufferGeometry {
  const bevel = Math.min(1.8, height / 3);
  const body = new ExtrudeGeometry(shapeOf(points), {
    depth: height - 2 * bevel - HAIR,
    bevelSize: bevel,
    bevelThickness: bevel,
    bevelOffset: -bevel,
    bevelSegments: 3,
  });
  return body.rotateX(-Math.PI / 2).translate(0, bevel, 0);
}

/** The rim of the tray: a hexagon with a hexagon cut out. */
export function rimOf(outer: number, inner: number, height: number): BufferGeometry {
  const shape = shapeOf(hexagon(outer, 40));
  // A hole runs the other way round, so that its walls face inwards.
  shape.holes = [new Path(vectors(hexagon(inner, 16)).reverse())];
  const bevel = 2.6;
  const body = new ExtrudeGeometry(shape, {
    depth: height - 2 * bevel,
    bevelSize: bevel,
    bevelThickness: bevel,
    bevelOffset: -bevel,
    bevelSegments: 4,
  });
  return body.rotateX(-Math.PI / 2).translate(0, bevel, 0);
}

/** The bottom of the tray. */
export function wellPlate(apothem: number): BufferGeometry {
  return new ShapeGeometry(shapeOf(hexagon(apothem, 16))).rotateX(-Math.PI / 2);
}

/** A grain of long fine lines, to be laid over the colour of the wood. */
export function grain(): CanvasTexture {
  const [canvas, pen] = drawing(256);
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, 256, 256);
  // Always the same wood: a small generator with a fixed seed.
  let seed = 11;
  const next = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let n = 0; n < 150; n++) {
    const y = next() * 256;
    pen.strokeStyle = `rgba(90,55,20,${0.025 + next() * 0.07})`;
    pen.lineWidth = 0.6 + next() * 2.6;
    pen.beginPath();
    pen.moveTo(0, y);
    pen.bezierCurveTo(85, y + next() * 6 - 3, 170, y + next() * 6 - 3, 256, y);
    pen.stroke();
  }
  const found = new CanvasTexture(canvas);
  found.colorSpace = SRGBColorSpace;
  found.wrapS = found.wrapT = RepeatWrapping;
  found.repeat.set(1 / 420, 1 / 130);
  found.anisotropy = 4;
  return found;
}

/** The shadow of the tray on the cloth: one soft picture, never redrawn. */
export function castShadow(): CanvasTexture {
  const [canvas, pen] = drawing(256);
  pen.shadowColor = "#000";
  pen.shadowBlur = 15;
  // The shape is drawn outside the canvas, so that only its shadow falls inside.
  pen.shadowOffsetX = 1000;
  pen.beginPath();
  for (const [x, y] of hexagon(84, 18)) pen.lineTo(x + 128 - 1000, y + 128);
  pen.fill();
  return new CanvasTexture(canvas);
}

function drawing(size: number): [HTMLCanvasElement, CanvasRenderingContext2D] {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("this browser cannot draw");
  return [canvas, pen];
}

function shapeOf(points: readonly Point[]): Shape {
  return new Shape(vectors(points));
}

/** The page's y axis points down; in 3D it points towards the viewer, and three.js wants outlines the other way up. */
function vectors(points: readonly Point[]): Vector2[] {
  return points.map(([x, y]) => new Vector2(x, -y));
}

/** Whether a shape is cached for reuse and must not be disposed of. */
export function isKept(shape: BufferGeometry): boolean {
  return [...KEPT.values()].includes(shape);
}
