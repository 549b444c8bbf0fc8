// The look's outlines (look/geometry.ts, look/symbols.ts) as points in the plane: one source for both views.

import { type Point, RADIUS, corners, inset, polar, tileOutline } from "../look/geometry";
import { SYMBOL_PATHS } from "../look/symbols";

const ROUND = 5;
const CIRCLE = 48;
const ARC = 8;
const MARGIN = 0.9;

/** A closed outline, and the holes in it. */
export interface Outline {
  points: Point[];
  holes: Point[][];
}

/** The body of a tile with its other half in this direction. */
export function tileBody(direction: number, margin = MARGIN): Point[] {
  return rounded(inset(tileOutline(direction), margin));
}

/** The body of a single cell. */
export function cellBody(margin = MARGIN): Point[] {
  return rounded(inset(corners(RADIUS), margin), 2);
}

/** A hexagon with corners to the left and right, like the tray, its corners rounded. */
export function hexagon(apothem: number, corner: number): Point[] {
  const tips = [0, 60, 120, 180, 240, 300].map((angle) => polar(angle, apothem / Math.cos(Math.PI / 6)));
  return tips.flatMap((tip, n) => {
    const before = towards(tip, tips.at(n - 1) ?? tip, corner);
    const after = towards(tip, tips[(n + 1) % 6] ?? tip, corner);
    return Array.from({ length: ARC + 1 }, (_, k): Point => {
      const [a, b, c] = [(1 - k / ARC) ** 2, 2 * (1 - k / ARC) * (k / ARC), (k / ARC) ** 2];
      return [a * before[0] + b * tip[0] + c * after[0], a * before[1] + b * tip[1] + c * after[1]];
    });
  });
}

/** A symbol by its number. */
export function symbol(colour: number): Outline[] {
  const found: Outline[] = [];
  for (const points of pathPoints(SYMBOL_PATHS[colour] ?? "")) {
    // A part that runs the other way round is a hole in the one before.
    const last = found.at(-1);
    if (last && Math.sign(area(points)) !== Math.sign(area(last.points))) last.holes.push(points);
    else found.push({ points, holes: [] });
  }
  return found;
}

/** The closed parts of a path made of straight lines and whole circles, like the symbols'. */
export function pathPoints(path: string): Point[][] {
  return path
    .split("z")
    .filter(Boolean)
    .map((part) => {
      const circle = /^M([\d.]+) 0A[\d.]+ [\d.]+ 0 1 ([01])/.exec(part);
      if (!circle) return part.slice(1).split("L").map(point);
      const turn = circle[2] === "1" ? 1 : -1;
      return Array.from({ length: CIRCLE }, (_, n) => polar((turn * 360 * n) / CIRCLE, Number(circle[1])));
    });
}

function point(text: string): Point {
  const [x = 0, y = 0] = text.split(" ").map(Number);
  return [x, y];
}

/** Twice the area, negative for parts that run counterclockwise on the page. */
function area(points: readonly Point[]): number {
  return points.reduce((sum, [x, y], n) => {
    const [nextX, nextY] = points[(n + 1) % points.length] ?? [x, y];
    return sum + x * nextY - nextX * y;
  }, 0);
}

/** Corners approximated by three points, which is round enough for a body this small. */
function rounded(points: readonly Point[], radius = ROUND): Point[] {
  return points.flatMap((corner, n) => {
    const before = towards(corner, points.at(n - 1) ?? corner, radius);
    const after = towards(corner, points[(n + 1) % points.length] ?? corner, radius);
    const middle: Point = [
      (before[0] + 2 * corner[0] + after[0]) / 4,
      (before[1] + 2 * corner[1] + after[1]) / 4,
    ];
    return [before, middle, after];
  });
}

function towards([x, y]: Point, [toX, toY]: Point, distance: number): Point {
  const length = Math.hypot(toX - x, toY - y) || 1;
  return [x + ((toX - x) / length) * distance, y + ((toY - y) / length) * distance];
}
