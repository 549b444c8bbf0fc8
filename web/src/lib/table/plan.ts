// A board's geometry, computed once per board: its cells, their neighbours and rows.

import { type Point, boardSize, centre } from "../look/geometry";
import { cellNumber, neighbours, rows } from "./parse";
import type { BoardInfo } from "./types";

export interface Plan {
  size: { width: number; height: number };
  /** The centre of each cell. */
  points: readonly Point[];
  /** For each cell, the numbers of its six neighbours; -1 beyond the edge of the board. */
  around: readonly (readonly number[])[];
  /** The numbers of the cells by row: from top to bottom, each from left to right. */
  lines: readonly (readonly number[])[];
  middle: number;
  /** The letter of each row's cells, from the top. */
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
