// What a board shows, worked out before it is drawn.

import { type Point, RADIUS, SPACING, centre, number, polar } from "../look/geometry";
import type { Seen } from "./parse";
import type { Plan } from "./plan";
import { m } from "../../paraglide/messages.js";
import type { BoardInfo, Explained, Translate } from "./types";

/** A tile of which at least one half is in sight. */
export interface Body {
  key: string;
  /** The cell it is drawn from, and the direction of its other half: 0, 1 or 2. */
  from: number;
  direction: number;
  level: number;
  /** The cells of its halves in sight. */
  cells: number[];
}

/** The tiles in sight, the lower ones first: higher ones hide what they cover. */
export function bodies(seen: readonly Seen[], around: Plan["around"]): Body[] {
  const found: Body[] = [];
  for (const cell of seen) {
    if (cell.half < 0) continue;
    const other = around[cell.n]?.[cell.half] ?? -1;
    const whole = seen[other]?.height === cell.height;
    if (cell.half >= 3 && whole) continue; // drawn from its other half
    const from = cell.half < 3 ? cell.n : other;
    const direction = cell.half % 3;
    const cells = whole ? [cell.n, other] : [cell.n];
    found.push({ key: `${from}-${direction}-${cell.height}-${cell.n}`, from, direction, level: cell.height - 1, cells });
  }
  return found.sort((a, b) => a.level - b.level);
}

/** A line of counted cells, with its points at the far end. */
export interface RayLine {
  colour: number;
  path: string;
  end: Point;
  points: number;
}

const RIM = 0.66;

/** The rays of an explanation, from symbol to symbol. */
export function rayLines(explained: Explained | null): RayLine[] {
  return (explained?.halves ?? []).flatMap((half) =>
    half.cell
      ? half.rays.map((ray) => {
          const cells = [half.cell as [number, number], ...ray.cells];
          const last = ray.cells.at(-1) ?? [0, 0];
          return {
            colour: half.colour,
            path: cells.map((cell) => segment(cell, ray.direction, cell === last)).join(""),
            end: polar(60 * ray.direction, SPACING / 2, centre(last)),
            points: ray.cells.length,
          };
        })
      : [],
  );
}

/** What lies on a cell, in words. */
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
  /** Where the cell's other half lies, as it was. */
  beside: Seen | undefined;
  words: string;
}

/** The words for all cells of a board, kept where nothing changed: a placement names anew only what it touched. */
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

/** From the rim of a symbol to that of the next, or to the far side of the last cell. */
function segment(cell: readonly [number, number], direction: number, last: boolean): string {
  const [x, y] = polar(60 * direction, RADIUS * RIM, centre(cell));
  const [endX, endY] = polar(60 * direction, last ? SPACING / 2 : SPACING - RADIUS * RIM, centre(cell));
  return `M${number(x)} ${number(y)}L${number(endX)} ${number(endY)}`;
}
