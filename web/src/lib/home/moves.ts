// The start page's game in drawable form.

import { type Cell, DIRECTIONS, type Point, centre } from "../look/geometry";
import { colourOf } from "../look/symbols";
import { GAME } from "./game";

/** A line from a half of the tile to the last cell that counts. */
export interface Line {
  colour: number;
  from: Point;
  to: Point;
  points: number;
}

export interface Move {
  colours: readonly [number, number];
  /** The centres of the two cells. */
  at: readonly [Point, Point];
  direction: number;
  lines: readonly Line[];
  /** The colour that this move completes, earning a bonus move. */
  full: number | null;
}

const RADIUS = 5;
const MOVE = /(.)(.)(.)(.)(.)((?:[ab]\d\d)*)(?:!(.))?/;

function further([q, r]: Cell, direction: number, steps: number): Cell {
  const [dq, dr] = DIRECTIONS[direction] ?? [0, 0];
  return [q + steps * dq, r + steps * dr];
}

function moveOf(text: string): Move {
  const [, first, second, q = "", r = "", way = "", lines = "", full] = MOVE.exec(text) ?? [];
  const direction = Number(way);
  const cell: Cell = [parseInt(q, 16) - RADIUS, parseInt(r, 16) - RADIUS];
  const cells = [cell, further(cell, direction, 1)] as const;
  const colours = [colourOf(first), colourOf(second)] as const;
  return {
    colours,
    at: [centre(cells[0]), centre(cells[1])],
    direction,
    lines: (lines.match(/.../g) ?? []).map(([half, towards, count]) => {
      const n = half === "a" ? 0 : 1;
      const points = Number(count);
      return { colour: colours[n], from: centre(cells[n]), to: centre(further(cells[n], Number(towards), points)), points };
    }),
    full: full === undefined ? null : colourOf(full),
  };
}

export const MOVES: readonly Move[] = GAME.trim().split(" ").map(moveOf);

/** Where the printed symbols are, in the order of their colours. */
export const PRINTED: readonly Point[] = (
  [
    [0, -RADIUS],
    [0, RADIUS],
    [-RADIUS, RADIUS],
    [RADIUS, -RADIUS],
    [RADIUS, 0],
    [-RADIUS, 0],
  ] satisfies Cell[]
).map(centre);

/** The centres of all cells. */
export const CELLS: readonly Point[] = Array.from({ length: 2 * RADIUS + 1 }, (_, q) => q - RADIUS).flatMap((q) =>
  Array.from({ length: 2 * RADIUS + 1 }, (_, r) => r - RADIUS)
    .filter((r) => Math.abs(q + r) <= RADIUS)
    .map((r) => centre([q, r])),
);
