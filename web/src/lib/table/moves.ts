// From what a person points at to the text of a move. What is legal and what it scores is in `legal`, as sent by the
// server; this only looks it up.

import { type Point, SPACING, centre, directionTo } from "../look/geometry";
import { COLOURS, coloursOf } from "../look/symbols";
import type { Aim, BoardInfo, Brought, LegalMoves, Spot } from "./types";

/** Every legal way to lay a tile, by the cell of its first symbol. */
export type Spots = ReadonlyMap<number, readonly Spot[]>;

/** The legal placements in `legal`, for lookup. */
export function spotsOf(board: BoardInfo, legal: LegalMoves | null): Spots {
  const found = new Map<number, Spot[]>();
  const add = (spot: Spot) => {
    const there = found.get(spot.cell);
    if (there) there.push(spot);
    else found.set(spot.cell, [spot]);
  };
  legal?.pairs.forEach((pair, index) => {
    const cells = board.pairs[pair];
    if (!cells) return;
    const [first, second] = cells;
    const [a, b] = [board.cells[first], board.cells[second]];
    if (!a || !b) return;
    const direction = directionTo(a, b);
    add({ cell: first, other: second, direction, pair, index, turned: false });
    add({ cell: second, other: first, direction: (direction + 3) % 6, pair, index, turned: true });
  });
  for (const there of found.values()) there.sort((a, b) => a.direction - b.direction);
  return found;
}

/** The legal placement that an aim stands for, or null. */
export function spotAt(spots: Spots, aim: Aim | null): Spot | null {
  if (!aim) return null;
  return spots.get(aim.cell)?.find((spot) => spot.direction === aim.direction) ?? null;
}

/** The aim at a cell that rotates the tile as little as possible. */
export function aimAt(spots: Spots, cell: number, direction: number): Aim | null {
  const there = spots.get(cell);
  if (!there?.length) return null;
  const best = there.reduce((a, b) => (turn(direction, b) < turn(direction, a) ? b : a));
  return { cell, direction: best.direction };
}

/** The next legal direction around the same cell: clockwise for +1, counterclockwise for -1. */
export function turned(spots: Spots, aim: Aim, by: 1 | -1): Aim {
  const there = spots.get(aim.cell) ?? [];
  for (let n = 1; n < 6; n++) {
    const direction = (((aim.direction + by * n) % 6) + 6) % 6;
    if (there.some((spot) => spot.direction === direction)) return { cell: aim.cell, direction };
  }
  return aim;
}

/** The cell nearest to a point that a first symbol may lie on, at most `reach` cells away. */
export function nearest(board: BoardInfo, spots: Spots, [x, y]: Point, reach: number): number | null {
  let best: number | null = null;
  let least = reach * SPACING;
  for (const cell of spots.keys()) {
    const at = board.cells[cell];
    if (!at) continue;
    const [cx, cy] = centre(at);
    const distance = Math.hypot(cx - x, cy - y);
    if (distance < least) [best, least] = [cell, distance];
  }
  return best;
}

/** A placement in notation: the first symbol on the first cell. */
export function moveText(board: BoardInfo, tile: string, spot: Spot): string {
  return `${tile}@${board.names[spot.cell]},${board.names[spot.other]}`;
}

/** A placement or card parsed from notation. */
export interface MoveParts {
  tile: string;
  /** The aim; null for a card. */
  aim: Aim | null;
  other: number;
}

/** What a move in notation lays; null if it lays nothing, or if the board does not have the cells. */
export function partsOf(board: BoardInfo, move: string): MoveParts | null {
  const [, tile = "", first, second] = /^([A-Z]{2})(?:@(\w+),(\w+))?$/.exec(move) ?? [];
  if (!tile) return null;
  if (first === undefined || second === undefined) return { tile, aim: null, other: -1 };
  const [cell, other] = [board.names.indexOf(first), board.names.indexOf(second)];
  const [from, to] = [board.cells[cell], board.cells[other]];
  return from && to ? { tile, aim: { cell, direction: directionTo(from, to) }, other } : null;
}

/** The points of both symbols of a tile on a spot, before caps; null if the server did not say. */
export function pointsOf(legal: LegalMoves | null, tile: string, spot: Spot): [number, number] | null {
  const [one, two] = [...tile].map((symbol) => legal?.points[symbol]);
  const first = (spot.turned ? one?.on_second : one?.on_first)?.[spot.index];
  const second = (spot.turned ? two?.on_first : two?.on_second)?.[spot.index];
  return first === undefined || second === undefined ? null : [first, second];
}

/** What a tile scores on a spot; null if the server did not say. */
export function broughtBy(legal: LegalMoves | null, tile: string, spot: Spot): Brought | null {
  const points = pointsOf(legal, tile, spot);
  const colours = coloursOf(tile);
  if (!points || !colours) return null;
  const [one, two] = points;
  const results = legal?.tiles.find((known) => known.tile === tile)?.results ?? [];
  const other = results.find((result) => result[0] === one && result[1] === two);
  const moved = other ? [other[2], other[3]] : [one, two];
  const gain = Array.from(COLOURS, () => 0);
  colours.forEach((colour, n) => (gain[colour] = (gain[colour] ?? 0) + (moved[n] ?? 0)));
  return { gain, count: (moved[0] ?? 0) + (moved[1] ?? 0), bonus: other?.[4] ?? 0 };
}

/** For each cell, the most that a tile can score with its first symbol there. */
export function heat(legal: LegalMoves | null, spots: Spots, tile: string): Map<number, number> {
  const found = new Map<number, number>();
  for (const [cell, there] of spots)
    found.set(cell, Math.max(...there.map((spot) => broughtBy(legal, tile, spot)?.count ?? 0)));
  return found;
}

function turn(direction: number, spot: Spot): number {
  const apart = (((spot.direction - direction) % 6) + 6) % 6;
  return Math.min(apart, 6 - apart);
}
