// Positions and outlines: pointy-topped cells, and outlines with rounded corners. The same figures as in
// src/genial/drawing/geometry.py.

export type Point = readonly [x: number, y: number];
export type Cell = readonly [q: number, r: number];

/** From the centre of a cell to its corners, in drawing units. */
export const RADIUS = 26;
/** From the centre of a cell to the centre of its neighbour. */
export const SPACING = RADIUS * Math.sqrt(3);
/** Half of the hairline between neighbouring tiles. */
export const GAP = 0.9;
const ROUNDING = 5;

/** The six neighbours: right, lower right, lower left, left, upper left, upper right. */
export const DIRECTIONS: readonly Cell[] = [
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [0, -1],
  [1, -1],
];

/** The centre of a cell; the centre of the board is (0, 0). */
export function centre([q, r]: Cell): Point {
  return [SPACING * (q + r / 2), RADIUS * 1.5 * r];
}

/** The direction from a cell to its neighbour, or -1. */
export function directionTo([q, r]: Cell, [otherQ, otherR]: Cell): number {
  return DIRECTIONS.findIndex(([dq, dr]) => q + dq === otherQ && r + dr === otherR);
}

/** A point by its angle in degrees, clockwise from the right, and its distance. */
export function polar(angle: number, distance: number, [x, y]: Point = [0, 0]): Point {
  const turn = (angle * Math.PI) / 180;
  return [x + distance * Math.cos(turn), y + distance * Math.sin(turn)];
}

/** The corners of a cell: corners n and n + 1 bound the side in direction n. */
export function corners(radius: number, origin: Point = [0, 0]): Point[] {
  return [0, 1, 2, 3, 4, 5].map((n) => polar(60 * n - 30, radius, origin));
}

/** A number with at most two decimals. */
export function number(value: number): string {
  return String(Math.round(value * 100) / 100 || 0);
}

/** A closed path with sharp corners. */
export function polygon(points: readonly Point[]): string {
  return `M${points.map(at).join("L")}z`;
}

/** A closed path with rounded corners. */
export function rounded(points: readonly Point[], radius: number): string {
  const path = around(points).map(
    ([before, corner, after]) =>
      `${at(towards(corner, before, radius))}Q${at(corner)} ${at(towards(corner, after, radius))}`,
  );
  return `M${path.join("L")}z`;
}

/** The outline moved inwards on every side; the points run clockwise on the page. */
export function inset(points: readonly Point[], margin: number): Point[] {
  return around(points).map(([before, corner, after]) => {
    const [ax, ay] = unit(before, corner);
    const [bx, by] = unit(corner, after);
    // The two sides' inward normals; their sum points along the bisector.
    const scale = margin / (1 + ax * bx + ay * by);
    return [corner[0] + (-ay - by) * scale, corner[1] + (ax + bx) * scale];
  });
}

/** The outline of two cells, clockwise: the first around (0, 0), the second in the given direction. */
export function tileOutline(direction: number, radius = RADIUS): Point[] {
  const first = corners(radius);
  const second = corners(radius, polar(60 * direction, radius * Math.sqrt(3)));
  const pick = (from: Point[], n: number): Point => from[(direction + n) % 6] ?? [0, 0];
  return [
    ...[1, 2, 3, 4, 5, 6].map((n) => pick(first, n)),
    ...[5, 6, 7, 8].map((n) => pick(second, n)),
  ];
}

/** One rounded body over two cells, a hairline smaller than they are. */
export function bodyPath(direction: number, margin = GAP): string {
  return rounded(inset(tileOutline(direction), margin), ROUNDING);
}

/** A single cell, a hairline smaller than it is. */
export function cellPath(margin = GAP): string {
  return rounded(inset(corners(RADIUS), margin), 2);
}

/** A path of M, L, Q and A commands, moved and scaled.
 *
 * With a `transform` on each of hundreds of shapes, the browser would recompute all of them whenever one changes.
 */
export function moved(path: string, [x, y]: Point, scale = 1): string {
  return path.replace(/([MLQA])([^MLQAz]+)/g, (_, command: string, text: string) => {
    const figures = text.split(" ");
    // An arc begins with its radii and flags, of which only the radii are scaled.
    const arc = command === "A" ? figures.splice(0, 5) : [];
    const before = arc.map((figure, n) => (n < 2 ? number(Number(figure) * scale) : figure));
    const there = figures.map((figure, n) => number(Number(figure) * scale + (n % 2 ? y : x)));
    return command + [...before, ...there].join(" ");
  });
}

/** From the well of a board's tray to the outer edge of its rim: on a wide and on a narrow screen. */
export const RIM = 29.5;
export const SLIM = 11.5;
/** How far the side of the rim shows below it. */
export const SIDE = 11;

/** From the centre of a board to the sides of its well. */
export function wellOf(radius: number): number {
  return RADIUS * (1.5 * radius + 1) + 5.5;
}

/** The size of a board of this radius with its tray, in drawing units. */
export function boardSize(radius: number, rim = RIM): { width: number; height: number } {
  const edge = wellOf(radius) + rim;
  // The corners are rounded off.
  return { width: (2 * edge) / Math.cos(Math.PI / 6) - 14, height: 2 * edge + SIDE };
}

function around(points: readonly Point[]): [Point, Point, Point][] {
  return points.map((corner, n) => [
    points[(n + points.length - 1) % points.length] ?? corner,
    corner,
    points[(n + 1) % points.length] ?? corner,
  ]);
}

function towards(start: Point, end: Point, distance: number): Point {
  const [x, y] = unit(start, end);
  return [start[0] + x * distance, start[1] + y * distance];
}

export function unit(start: Point, end: Point): Point {
  const x = end[0] - start[0];
  const y = end[1] - start[1];
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
}

function at([x, y]: Point): string {
  return `${number(x)} ${number(y)}`;
}

/** The cell that contains a point, whether on the board or not. */
export function cellAt([x, y]: Point): Cell {
  const r = y / (RADIUS * 1.5);
  const q = x / SPACING - r / 2;
  const s = -q - r;
  const [rq, rr, rs] = [Math.round(q), Math.round(r), Math.round(s)];
  const [dq, dr, ds] = [Math.abs(rq - q), Math.abs(rr - r), Math.abs(rs - s)];
  // Cube rounding: the coordinates must sum to 0, so the one with the largest error is derived from the others.
  if (dq > dr && dq > ds) return [-rr - rs || 0, rr || 0];
  return [rq || 0, (dr > ds ? -rq - rs : rr) || 0];
}
