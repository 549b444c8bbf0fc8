// Positions the caption of an aimed tile: near it, inside the board's box, clear of other pieces.

import type { Point } from "../../look/geometry";

export interface Size {
  width: number;
  height: number;
}

/** Something to avoid: a circle, weighted by how bad it is to cover it. */
export interface Kept {
  at: Point;
  reach: number;
  weight: number;
}

export interface Placed {
  /** The upper left corner. */
  x: number;
  y: number;
  /** The start of the pointer, on the caption's edge, and its tip. */
  from: Point;
  to: Point;
  /** Whether it points up or down rather than sideways. */
  upright: boolean;
}

/** The distance between the caption and the tile. */
const APART = 30;
const MARGIN = 4;
/** The longest pointer, and how close to a corner it may start. */
const LONGEST = 26;
const CORNER = 24;
const WAYS = 16;

/** The best place for a caption of this size beside a point, in a box that starts at (0, 0). All in the same unit. */
export function placeCaption(about: Point, size: Size, box: Size, kept: readonly Kept[], before: Placed | null): Placed {
  let best: Point = [MARGIN, MARGIN];
  let least = Infinity;
  for (const [x, y] of candidates(about, size, box)) {
    const far = distance(about, x, y, size);
    const moved = before ? Math.min(40, Math.hypot(before.x - x, before.y - y)) : 0;
    let cost = far * 0.05 + moved * 0.05;
    for (const one of kept) {
      const over = one.reach - distance(one.at, x, y, size);
      if (over > 0) cost += one.weight * (0.3 + over / one.reach);
    }
    if (cost < least) [best, least] = [[x, y], cost];
  }
  return pointed(about, best, size);
}

function* candidates([ax, ay]: Point, { width, height }: Size, box: Size): Generator<Point> {
  for (const further of [1, 1.8, 2.8, 4, 5.5]) {
    for (let way = 0; way < WAYS; way++) {
      const angle = (2 * Math.PI * way) / WAYS;
      const x = ax + Math.cos(angle) * (width / 2 + APART * further) - width / 2;
      const y = ay + Math.sin(angle) * (height / 2 + APART * further) - height / 2;
      yield [within(x, MARGIN, box.width - width - MARGIN), within(y, MARGIN, box.height - height - MARGIN)];
    }
  }
}

function pointed([ax, ay]: Point, [x, y]: Point, { width, height }: Size): Placed {
  // How far the target lies beyond an edge, horizontally and vertically.
  const beside = Math.max(x - ax, ax - (x + width));
  const above = Math.max(y - ay, ay - (y + height));
  const upright = above > beside;
  const from: Point = upright
    ? [within(ax, x + CORNER, x + width - CORNER), ay < y ? y : y + height]
    : [ax < x ? x : x + width, within(ay, y + CORNER, y + height - CORNER)];
  const [dx, dy] = [ax - from[0], ay - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const part = Math.min(1, LONGEST / length);
  return { x, y, from, to: [from[0] + dx * part, from[1] + dy * part], upright };
}

/** The distance from a point to a box; 0 inside. */
function distance([px, py]: Point, x: number, y: number, { width, height }: Size): number {
  return Math.hypot(Math.max(x - px, 0, px - x - width), Math.max(y - py, 0, py - y - height));
}

function within(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
