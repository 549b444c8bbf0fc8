// Parses the text of a table (docs/notation.md) for drawing. Pure: the same text gives the same cells.

import { type Cell, DIRECTIONS } from "../look/geometry";
import { colourOf } from "../look/symbols";
import type { BoardInfo } from "./types";

/** What is visible of one cell from above. */
export interface Seen {
  /** The cell's number in the board's list. */
  n: number;
  /** The colour of the topmost symbol, or -1 if the cell is empty. */
  colour: number;
  /** The direction of the topmost tile's other half; -1 for a printed symbol or start stone. */
  half: number;
  /** How many pieces lie here; a printed symbol counts as one. */
  height: number;
}

const PIECE = /\.|([A-Z])([0-5*])('*)/gy;

/** The cells of a board text, in the order of the board's own list.
 *
 * Throws if text and board do not match: then the client is older than the server.
 */
export function parseBoard(text: string, board: BoardInfo): Seen[] {
  const rows = text.split("/").map(parseRow);
  const { radius } = board;
  return board.cells.map(([q, r], n) => {
    const row = rows[r + radius];
    const piece = row?.[q - Math.max(-radius, -radius - r)];
    if (!piece) throw new Error(`the table has no cell ${board.names[n]}: ${text}`);
    return { n, ...piece };
  });
}

/** What is visible of one cell, and where it lies. */
export type Piece = Omit<Seen, "n"> & { at: Cell };

/** The cells of a board text with their coordinates: for small pictures, which need nothing else about the board. */
export function parsePicture(text: string): Piece[] {
  const rows = text.split("/").map(parseRow);
  const radius = (rows.length - 1) / 2;
  return rows.flatMap((row, line) =>
    row.map((piece, n) => ({ ...piece, at: [n + Math.max(-radius, -line), line - radius] as const })),
  );
}

/** The open cards of each seat, oldest first. */
export function parseCards(text: string): string[][] {
  return text.split("/").map((row) => (row === "-" ? [] : (row.match(/../g) ?? [])));
}

/** The new cells, keeping the old objects where nothing changed, so that only changes are redrawn. */
export function keep(before: readonly Seen[], after: Seen[]): Seen[] {
  if (before.length !== after.length) return after;
  return after.map((cell, n) => {
    const old = before[n];
    return old && isSame(old, cell) ? old : cell;
  });
}

/** The cells as they were before some of them got a tile that is not shown yet. */
export function hiding(seen: Seen[], cells: readonly number[]): Seen[] {
  if (!cells.length) return seen;
  const hidden = new Set(cells);
  return seen.map((cell) => (hidden.has(cell.n) ? { n: cell.n, colour: -1, half: -1, height: 0 } : cell));
}

/** For each cell, the numbers of its six neighbours; -1 beyond the edge of the board. */
export function neighbours(board: BoardInfo): number[][] {
  return board.cells.map(([q, r]) => DIRECTIONS.map(([dq, dr]) => cellNumber(board, [q + dq, r + dr])));
}

/** The numbers of the cells by row: from top to bottom, each from left to right. */
export function rows(board: BoardInfo): number[][] {
  const found: number[][] = Array.from({ length: 2 * board.radius + 1 }, () => []);
  board.cells.forEach(([, r], n) => found[r + board.radius]?.push(n));
  for (const row of found) row.sort((a, b) => (board.cells[a]?.[0] ?? 0) - (board.cells[b]?.[0] ?? 0));
  return found;
}

const NUMBERS = new WeakMap<BoardInfo, Map<string, number>>();

/** The number of the cell at these coordinates, or -1. */
export function cellNumber(board: BoardInfo, [q, r]: readonly number[]): number {
  let numbers = NUMBERS.get(board);
  if (!numbers) {
    numbers = new Map(board.cells.map((cell, n) => [cell.join(), n]));
    NUMBERS.set(board, numbers);
  }
  return numbers.get(`${q},${r}`) ?? -1;
}

function parseRow(row: string): Omit<Seen, "n">[] {
  const found: Omit<Seen, "n">[] = [];
  let read = 0;
  for (const match of row.matchAll(PIECE)) {
    const [whole, letter, half, below] = match;
    read += whole.length;
    found.push(
      letter === undefined
        ? { colour: -1, half: -1, height: 0 }
        : {
            colour: colourOf(letter),
            half: half === "*" ? -1 : Number(half),
            height: 1 + (below?.length ?? 0),
          },
    );
  }
  if (read !== row.length || found.some((piece) => piece.height && piece.colour < 0))
    throw new Error(`this isn't a row of a table: ${row}`);
  return found;
}

function isSame(a: Seen, b: Seen): boolean {
  return a.colour === b.colour && a.half === b.half && a.height === b.height;
}
