// What a board shows, computed before it is drawn.

import { type Point, centre } from "../look/geometry";
import type { Seen } from "./parse";
import type { Plan } from "./plan";
import { m } from "../../paraglide/messages.js";
import type { BoardInfo, Explained, Laid, Translate } from "./types";

/** A tile with at least one visible half. */
export interface Body {
  key: string;
  /** The cell it is drawn from, and the direction of its other half: 0, 1 or 2. */
  from: number;
  direction: number;
  level: number;
}

/** The same tile is always the same object, so that it is not redrawn. */
const BODIES = new Map<string, Body>();

/** The visible tiles, lower ones first: higher ones hide what they cover. */
export function bodies(seen: readonly Seen[], around: Plan["around"]): Body[] {
  const found: Body[] = [];
  for (const cell of seen) {
    if (cell.half < 0) continue;
    const other = around[cell.n]?.[cell.half] ?? -1;
    const whole = seen[other]?.height === cell.height;
    if (cell.half >= 3 && whole) continue; // drawn from its other half
    const from = cell.half < 3 ? cell.n : other;
    const direction = cell.half % 3;
    const key = `${from}-${direction}-${cell.height}`;
    const body = BODIES.get(key) ?? { key, from, direction, level: cell.height - 1 };
    BODIES.set(key, body);
    found.push(body);
  }
  return found.sort((a, b) => a.level - b.level);
}

/** A line of counted cells, from the centre of a half to that of the last cell, where its points are shown. */
export interface Ray {
  colour: number;
  from: Point;
  to: Point;
  points: number;
}

/** The rays of an explanation. */
export function raysOf(explained: Explained | null): Ray[] {
  return (explained?.halves ?? []).flatMap(({ cell, colour, rays }) =>
    cell
      ? rays.map((ray) => ({
          colour,
          from: centre(cell),
          to: centre(ray.cells.at(-1) ?? cell),
          points: ray.cells.length,
        }))
      : [],
  );
}

/** The visible lines from a laid tile, in the colours that gained from it. The score itself is in the event; this only
    follows the pieces on the board. */
export function linesFrom({ cells, gain }: Laid, seen: readonly Seen[], { around, points }: Plan): Ray[] {
  const [first, second] = cells;
  return [
    [first, second],
    [second, first],
  ].flatMap(([cell = -1, other = -1]) => {
    const colour = seen[cell]?.colour ?? -1;
    if (!gain[colour]) return [];
    return (around[cell] ?? []).flatMap((next, direction) => {
      const line: number[] = [];
      for (let at = next; at >= 0 && at !== other && isSymbol(seen[at], colour); at = around[at]?.[direction] ?? -1) line.push(at);
      const [from, to] = [points[cell], points[line.at(-1) ?? -1]];
      return from && to ? [{ colour, from, to, points: line.length }] : [];
    });
  });
}

function isSymbol(cell: Seen | undefined, colour: number): boolean {
  return Boolean(cell?.height && cell.colour === colour);
}

/** The contents of a cell, in words. */
export function cellWords(cell: Seen, seen: readonly Seen[], around: Plan["around"], board: BoardInfo, t: Translate): string {
  const name = board.names[cell.n] ?? "";
  if (!cell.height) return `${name}, ${m.table_free()}`;
  const colour = t(`colour-${cell.colour}`);
  const level = cell.height > 1 ? `, ${m.table_level({ level: cell.height - 1 })}` : "";
  if (cell.half < 0) return `${name}, ${colour}, ${board.loose ? m.table_stone() : m.table_printed()}${level}`;
  const other = around[cell.n]?.[cell.half] ?? -1;
  const half = seen[other];
  if (half?.height !== cell.height) return `${name}, ${colour}${level}`;
  const beside = m.table_other_half({ colour: t(`colour-${half.colour}`), cell: board.names[other] ?? "" });
  return `${name}, ${colour}, ${beside}${level}`;
}

interface Named {
  cell: Seen;
  /** The cell with its other half, as it was. */
  beside: Seen | undefined;
  words: string;
}

/** The descriptions of all cells of a board, kept where nothing changed: a placement renews only those it touches. */
export class CellNames {
  #known: Named[] = [];
  #language = "";

  of(seen: readonly Seen[], around: Plan["around"], board: BoardInfo, language: string, t: Translate): string[] {
    if (language !== this.#language || this.#known.length !== seen.length) this.#known = [];
    this.#language = language;
    this.#known = seen.map((cell, n) => {
      const old = this.#known[n];
      const beside = cell.half < 0 ? undefined : seen[around[n]?.[cell.half] ?? -1];
      if (old?.cell === cell && old.beside === beside) return old;
      return { cell, beside, words: cellWords(cell, seen, around, board, t) };
    });
    return this.#known.map(({ words }) => words);
  }
}
