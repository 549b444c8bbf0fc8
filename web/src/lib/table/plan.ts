// A board's own geometry, worked out once for each: where cells lie, their neighbours and rows.

import { type Point, boardSize, centre } from "../look/geometry";
import { cellNumber, neighbours, rows } from "./parse";
import type { BoardInfo } from "./types";

export interface Plan {
  size: { width: number; height: number };
  /** The middle of each cell. */
  points: readonly Point[];
  /** For each cell the numbers of its six neighbours, -1 where the board ends. */
  around: readonly (readonly number[])[];
  /** The numbers of the cells as they lie on the page: row by row from the top, each from the left. */
  lines: readonly (readonly number[])[];
  middle: number;
  /** What the cells of each row are called, from the top. */
  letters: readonly string[];
}

const PLANS = new WeakMap<BoardInfo, Plan>();

/** The plan of a board. */
export function planOf(board: BoardInfo): Plan {
  let found = PLANS.get(board);
  if (!found) {
    const lines = rows(board);
    found = {
      size: boardSize(board.radius),
      points: board.cells.map(centre),
      around: neighbours(board),
      lines,
      middle: Math.max(0, cellNumber(board, [0, 0])),
      letters: lines.map(([first = 0]) => (board.names[first] ?? "").replace(/\d+$/, "")),
    };
    PLANS.set(board, found);
  }
  return found;
}
