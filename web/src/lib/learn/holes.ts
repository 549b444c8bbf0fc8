// The holes in the layer that dims the screen: where they are and how they are cut. All in window pixels.

import { type Point, polar, rounded } from "../look/geometry";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Hole {
  box: Box;
  path: string;
  /** Whether it has a rim: the subject of a step does, what is merely needed for it does not. */
  rim: boolean;
}

/** A box enlarged on all sides. */
export function grown({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

/** The smallest box around all of them. */
export function around(boxes: readonly Box[]): Box | null {
  if (!boxes.length) return null;
  const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))];
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The area that two boxes share. */
export function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

export const ROUNDING = 18;

/** A rounded box for a lane, a slot or a button. */
export function lane(box: Box, rim: boolean): Hole {
  const { x, y, width, height } = box;
  const corner = Math.min(ROUNDING, width / 2, height / 2);
  const points: Point[] = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
  return { box, path: rounded(points, corner), rim };
}

/** A flat-topped hexagon, like the board. */
export function hexagon([x, y]: Point, radius: number, rim: boolean): Hole {
  const high = radius * Math.sin(Math.PI / 3);
  const path = rounded(
    [0, 60, 120, 180, 240, 300].map((angle) => polar(angle, radius, [x, y])),
    radius * 0.2,
  );
  return { box: { x: x - radius, y: y - high, width: 2 * radius, height: 2 * high }, path, rim };
}

/** A hexagon kept within a box, moved inside where it would stick out. */
export function within([x, y]: Point, radius: number, box: Box, rim: boolean): Hole {
  const size = Math.min(radius, box.width / 2, box.height / 2 / Math.sin(Math.PI / 3));
  const high = size * Math.sin(Math.PI / 3);
  const clamp = (value: number, low: number, most: number): number => Math.max(low, Math.min(most, value));
  const middle: Point = [clamp(x, box.x + size, box.x + box.width - size), clamp(y, box.y + high, box.y + box.height - high)];
  return hexagon(middle, size, rim);
}
