// The shapes of the board in space, made once from the look's outlines.

import {
  type BufferGeometry,
  CylinderGeometry,
  ExtrudeGeometry,
  Mesh,
  MeshBasicMaterial,
  Path,
  RingGeometry,
  Shape,
  ShapeGeometry,
  Vector2,
} from "three";
import { type Point, RADIUS } from "../look/geometry";
import { cellBody, symbol, tileBody } from "./outlines";
import type { Piece } from "./pieces";

/** How high a tile is, in the units of the flat drawing. */
export const THICK = 13;

/** Marks a permitted place on the ground, or on top of something. */
export const DOT = new CylinderGeometry(4, 4, 0.5, 20);
export const RING = new RingGeometry(RADIUS * 0.8, RADIUS * 0.88, 6, 1, Math.PI / 6).rotateX(-Math.PI / 2);
const BODIES = new Map<string, BufferGeometry>();
const SYMBOLS = new Map<number, BufferGeometry>();

export function bodyOf(piece: Piece): BufferGeometry {
  const key = piece.kind === "cell" ? "cell" : `${piece.direction}`;
  let found = BODIES.get(key);
  if (!found) {
    found = extruded(piece.kind === "cell" ? cellBody() : tileBody(piece.direction), THICK);
    BODIES.set(key, found);
  }
  return found;
}

export function flatSymbol(colour: number, paint: string): Mesh {
  let found = SYMBOLS.get(colour);
  if (!found) {
    const shapes = symbol(colour).map(({ points, holes }) => {
      const shape = shapeOf(points);
      shape.holes = holes.map((hole) => new Path(vectors(hole)));
      return shape;
    });
    found = new ShapeGeometry(shapes).rotateX(-Math.PI / 2);
    SYMBOLS.set(colour, found);
  }
  return new Mesh(found, new MeshBasicMaterial({ color: paint }));
}

/** A body with this outline, standing on the ground, its edges a little broken so that they catch the light. */
export function extruded(points: readonly Point[], height: number): BufferGeometry {
  const bevel = Math.min(1.2, height / 4);
  const body = new ExtrudeGeometry(shapeOf(points), {
    depth: height - 2 * bevel - 0.5,
    bevelSize: bevel,
    bevelThickness: bevel,
    bevelOffset: -bevel,
    bevelSegments: 2,
  });
  return body.rotateX(-Math.PI / 2).translate(0, bevel, 0);
}

function shapeOf(points: readonly Point[]): Shape {
  return new Shape(vectors(points));
}

/** The page's y runs down; in space it runs towards us, and three.js wants its outlines the other way up. */
function vectors(points: readonly Point[]): Vector2[] {
  return points.map(([x, y]) => new Vector2(x, -y));
}

/** Whether a shape is made once and used again: then it is not to be thrown away. */
export function isKept(shape: BufferGeometry): boolean {
  return shape === DOT || shape === RING || [...BODIES.values(), ...SYMBOLS.values()].includes(shape);
}
