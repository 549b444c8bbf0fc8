// Where everything lies on the score board, in pixels of the screen: six lanes side by side, or the six ropes of the
// duel below each other. What is drawn on them is in Lanes.svelte and Ropes.svelte.

import type { Side } from "./seating";
import type { VariantInfo } from "./types";

/** At this width of the wood every size is that of the drawing. */
const WIDTH = 340;
/** Places have a peg each where they lie at least this far apart, otherwise every third has one. */
const PEGGED = 7;
/** Numbers beside the lanes keep this distance, in lines of their own height. */
const APART = 1.25;

/** How low the strip is that stands above the board on a phone, in pixels. */
export const LOW = 92;

/** A groove: where it begins, and how wide it is. */
export interface Groove {
  at: number;
  width: number;
}

export interface Lane {
  /** Of the left side, and of the right one where there are two. */
  wide: Groove;
  narrow: Groove | null;
  /** The middle of the figures. */
  figure: number;
}

export interface Scale {
  low: number;
  high: number;
  /** From one place to the next. */
  step: number;
  /** The middle of a place. */
  at(place: number): number;
  pegs: { place: number; large: boolean }[];
  bonus: readonly number[];
  /** Where stretches of the track end. */
  lines: number[];
  /** The places whose numbers are engraved beside the lanes. */
  numbered: number[];
}

export interface Columns extends Scale {
  /** How large things are, by the drawing's size. */
  size: number;
  /** The ends of the grooves. */
  top: number;
  bottom: number;
  lanes: Lane[];
  /** How large the figures are written: of the left side, of the right. */
  figures: readonly [number, number];
}

const COLOURS = [0, 1, 2, 3, 4, 5];

/** A title's places from one point to another; numbers beside them are of this size. */
function scaleOf(info: VariantInfo, start: number, end: number, type: number): Scale {
  const [low, high] = info.track;
  const step = Math.abs(end - start) / (high - low);
  const at = (place: number): number => start + ((place - low) * (end - start)) / (high - low);
  // Regions end between two places; a first board and the middle of the ropes are places themselves.
  const shift = info.board ? 0 : 0.5;
  const every = step >= PEGGED ? 1 : 3;
  const places = Array.from({ length: high - low + 1 }, (_, n) => low + n);
  const sixes = places.filter((place) => place % 6 === 0);
  const gap = (type * APART) / step;
  const numbered = [low, high, ...info.bonus_steps, ...info.line_steps, ...sixes].reduce<number[]>(
    (kept, place) => (kept.every((other) => Math.abs(other - place) >= gap) ? [...kept, place] : kept),
    [],
  );
  return {
    low,
    high,
    step,
    at,
    pegs: places.filter((place) => place && place % every === 0).map((place) => ({ place, large: place % 6 === 0 })),
    bonus: info.bonus_steps,
    lines: info.line_steps.map((place) => at(place + shift)),
    numbered: numbered.sort((a, b) => a - b),
  };
}

/** How large numbers are engraved beside the lanes. */
export function engraved(size: number): number {
  return Math.max(9, 11 * size);
}

/** The lanes on wood of this size. Who plays alone has one groove a colour. */
export function columns(info: VariantInfo, width: number, height: number, alone: boolean): Columns {
  const size = width / WIDTH;
  const figures = [Math.max(15, 28 * size), alone ? 0 : Math.max(11, 17 * size)] as const;
  const top = 4 * size;
  const bottom = Math.max(top + 1, height - figures[0] * 1.15 - figures[1] * 1.3 - 10 * size);
  const lane = (width - 44 * size) / 6;
  return {
    ...scaleOf(info, bottom - 13 * size, top + 13 * size, engraved(size)),
    size,
    top,
    bottom,
    figures,
    lanes: COLOURS.map((n) => {
      const left = 28 * size + n * lane;
      const wide = alone ? { at: left + 8 * size, width: 32 * size } : { at: left + 4 * size, width: 25 * size };
      const narrow = alone ? null : { at: left + 33 * size, width: 11 * size };
      return { wide, narrow, figure: wide.at + wide.width / 2 };
    }),
  };
}

/** The same, low, with the figures beside the grooves. */
export function strip(info: VariantInfo, width: number, alone: boolean): Columns {
  const lane = (width - 16) / 6;
  const size = Math.min(1, lane / 59);
  const [top, bottom] = [11, LOW - 12];
  return {
    ...scaleOf(info, bottom - 7, top + 7, LOW),
    size,
    top,
    bottom,
    figures: [22, alone ? 0 : 14],
    lanes: COLOURS.map((n) => {
      const at = 10 + n * lane;
      const wide = { at, width: (alone ? 20 : 15) * size };
      const narrow = alone ? null : { at: at + 18 * size, width: 7 * size };
      return { wide, narrow, figure: at + 41 * size };
    }),
  };
}

export interface Ropes extends Scale {
  size: number;
  /** By colour: the left end and the middle of its groove. */
  rows: { left: number; middle: number }[];
  /** Of a groove. */
  length: number;
  thick: number;
  /** How large the figures at both ends are. */
  type: number;
  /** Where it says below how many colours each end has. */
  foot: number;
}

/** The ropes of the duel: what is pulled to the left is won by whoever stands there. */
export function ropes(info: VariantInfo, width: number, height: number, low: boolean): Ropes {
  const perRow = low ? 3 : 1;
  const size = low ? Math.min(1, width / 374) * 0.6 : width / WIDTH;
  const type = low ? 14 : Math.max(15, 24 * size);
  const beside = type * (low ? 1.1 : 1.35);
  const edge = low ? 6 : 8 * size;
  const cell = (width - 2 * edge) / perRow;
  const length = cell - 2 * beside;
  const foot = low ? 0 : 46 * size;
  const rise = (height - foot) / (6 / perRow);
  const thick = 28 * size;
  return {
    // The left end is the far end of the track: there the markers are best for who looks.
    ...scaleOf(info, length - thick / 2, thick / 2, LOW),
    size,
    type,
    length,
    thick,
    foot: height - foot / 2 - 4 * size,
    rows: COLOURS.map((n) => ({
      left: edge + (n % perRow) * cell + beside,
      middle: (Math.floor(n / perRow) + 0.5) * rise,
    })),
  };
}

/** Where a side's lowest marker stands: that of its weakest colours. */
export function lowestOf({ markers, weakest }: Pick<Side, "markers" | "weakest">): number {
  return markers[weakest[0] ?? 0] ?? 0;
}

/** Of several sides the one that is ahead: its lowest marker counts first, then the next. */
export function strongest<S extends Pick<Side, "markers">>(sides: readonly S[]): S | null {
  const ranked = (side: S): number[] => side.markers.toSorted((a, b) => a - b);
  return sides.reduce<S | null>((best, side) => {
    if (!best) return side;
    const [mine, theirs] = [ranked(side), ranked(best)];
    const at = mine.findIndex((place, n) => place !== theirs[n]);
    return at >= 0 && (mine[at] ?? 0) > (theirs[at] ?? 0) ? side : best;
  }, null);
}

/** Two water lines at one place would hide each other: then they lie side by side. */
export function waterLines(mine: number, theirs: number | null, nearest = 5): [mine: number, theirs: number | null] {
  if (theirs === null || Math.abs(mine - theirs) >= nearest) return [mine, theirs];
  const middle = (mine + theirs) / 2;
  const up = mine <= theirs ? -1 : 1;
  return [middle + (up * nearest) / 2, middle - (up * nearest) / 2];
}

type Put = { at: number; n: number };

/** Pennants at these heights, moved so far that none covers another; the first stays where it is if it can. */
export function keptApart(wanted: readonly number[], gap: number, top: number, bottom: number): number[] {
  const [first = 0] = wanted;
  const others = wanted.map((at, n): Put => ({ at, n })).slice(1).sort((a, b) => a.at - b.at || a.n - b.n);
  const room = [first - top, bottom - first].map((length) => Math.floor(length / gap)) as [number, number];
  const higher = others.filter(({ at }) => at < first).length;
  // Who finds no room on their own side of the first goes to the other.
  const above = Math.min(Math.max(higher, others.length - room[1]), Math.max(room[0], 0));
  const order = [...others.slice(0, above), { at: first, n: 0 }, ...others.slice(above)];
  for (let n = above + 1; n < order.length; n++) push(order[n], order[n - 1], gap);
  for (let n = above - 1; n >= 0; n--) push(order[n], order[n + 1], -gap);
  within(order, gap, bottom);
  within(order.reverse(), -gap, top);
  const found = [...wanted];
  for (const { at, n } of order) if (n < found.length) found[n] = at;
  return found;
}

/** At least so far below the other, or above it. */
function push(one: Put | undefined, other: Put | undefined, gap: number): void {
  if (one && other) one.at = gap > 0 ? Math.max(one.at, other.at + gap) : Math.min(one.at, other.at + gap);
}

/** The last one no further than the end, and those before it out of its way. */
function within(order: Put[], gap: number, end: number): void {
  const last = order.at(-1);
  if (!last) return;
  last.at = gap > 0 ? Math.min(last.at, end) : Math.max(last.at, end);
  for (let n = order.length - 2; n >= 0; n--) push(order[n], order[n + 1], -gap);
}
