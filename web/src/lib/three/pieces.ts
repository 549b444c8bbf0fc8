// The pieces on the board, one by one. Pure: no three.js, no rules; the heights are the server's.

import type { Seen } from "../table/parse";
import { cellNumber } from "../table/parse";
import { directionTo } from "../look/geometry";
import type { BoardInfo, EventData } from "../table/types";

/** A body on the board. */
export interface Piece {
  key: string;
  /** A tile over two cells, or a single cell: a start stone, or a half about which nothing more is known. */
  kind: "tile" | "cell";
  cell: number;
  /** The direction of a tile's other half: 0, 1 or 2. */
  direction: number;
  level: number;
}

/** Every body, including covered ones, as far as they are known from the events. */
export function piecesOf(board: BoardInfo, seen: readonly Seen[], events: readonly EventData[]): Piece[] {
  const tiles = events.flatMap((event) => {
    const [first, second] = event.type === "place" ? (event.cells ?? []) : [];
    if (!first || !second) return [];
    const direction = directionTo([first[0] ?? 0, first[1] ?? 0], [second[0] ?? 0, second[1] ?? 0]);
    const from = direction < 3 ? first : second;
    const found = tile(board, cellNumber(board, from), direction % 3, event.level ?? 0);
    // A tile that should not be seen yet is not on the board.
    return cellsOf(board, found).every((cell) => (seen[cell]?.height ?? 0) > found.level) ? [found] : [];
  });
  const filled = new Set(tiles.flatMap((piece) => cellsOf(board, piece).map((cell) => `${cell} ${piece.level}`)));
  const singles = seen.flatMap((cell) =>
    Array.from({ length: cell.height }, (_, level) => level)
      .filter((level) => !filled.has(`${cell.n} ${level}`))
      .map((level): Piece => ({ key: `cell ${cell.n} ${level}`, kind: "cell", cell: cell.n, direction: 0, level })),
  );
  return [...singles, ...tiles];
}

function tile(board: BoardInfo, cell: number, direction: number, level: number): Piece {
  return { key: `tile ${cell} ${direction} ${level} ${board.names[cell]}`, kind: "tile", cell, direction, level };
}

const STEPS = [
  [1, 0],
  [0, 1],
  [-1, 1],
] as const;

/** The cells that a body stands on. */
export function cellsOf(board: BoardInfo, piece: Piece): number[] {
  if (piece.kind === "cell") return [piece.cell];
  const [q, r] = board.cells[piece.cell] ?? [0, 0];
  const [dq, dr] = STEPS[piece.direction] ?? [0, 0];
  return [piece.cell, cellNumber(board, [q + dq, r + dr])];
}
