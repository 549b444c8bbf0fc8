// The layout of the score board, in screen pixels: six lanes side by side, or the six ropes of the duel one below the
// other. What is drawn on them is in Lanes.svelte and Ropes.svelte.

import type { Side } from "./seating";
import type { VariantInfo } from "./types";

/** At this width of the wood all sizes are those of the design. */
const WIDTH = 340;
/** Every place has a peg if they are at least this far apart, otherwise every third. */
const PEGGED = 7;
/** The minimum distance between numbers beside the lanes, in multiples of their height. */
const APART = 1.25;

/** The height of the strip above the board on a phone, in pixels. */
export const LOW = 92;

/** A groove: where it starts, and how wide it is. */
export interface Groove {
  at: number;
  width: number;
}

export interface Lane {
  /** The left side's groove, and the right side's if there are two. */
  wide: Groove;
  narrow: Groove | null;
  /** The centre of the figures. */
  figure: number;
}

export interface Scale {
  low: number;
  high: number;
  /** From one place to the next. */
  step: number;
  /** The centre of a place. */
  at(place: number): number;
  pegs: { place: number; large: boolean }[];
  bonus: readonly number[];
  /** Where sections of the track end. */
  lines: number[];
  /** The places with numbers engraved beside the lanes. */
  numbered: number[];
}

export interface Columns extends Scale {
  /** The scale relative to the design. */
  size: number;
  /** The ends of the grooves. */
  top: number;
  bottom: number;
  lanes: Lane[];
  /** The font sizes of the figures: left side, right side. */
  figures: readonly [number, number];
}

const COLOURS = [0, 1, 2, 3, 4, 5];

/** A title's places between two points; `type` is the size of the numbers beside them. */
function scaleOf(info: VariantInfo, start: number, end: number, type: number): Scale {
  const [low, high] = info.track;
  const step = Math.abs(end - start) / (high - low);
  const at = (place: number): number => start + ((place - low) * (end - start)) / (high - low);
  // Regions end between two places; the end of a first board and the middle of the ropes are places themselves.
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

/** The size of the numbers engraved beside the lanes. */
export function engraved(size: number): number {
  return Math.max(9, 11 * size);
}

/** The lanes on wood of this size. A solo player has one groove per colour. */
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

/** The same as a low strip, with the figures beside the grooves. */
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
  /** For each colour, the left end and the middle of its groove. */
  rows: { left: number; middle: number }[];
  /** Length and thickness of a groove. */
  length: number;
  thick: number;
  /** The font size of the figures at both ends. */
  type: number;
  /** Where the number of colours at each end is shown. */
  foot: number;
}

/** The ropes of the duel: a marker pulled to the left is won by the player there. */
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
    // The left end is the far end of the track, where the markers are best for the viewer.
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

/** The place of a side's lowest marker: that of its weakest colours. */
export function lowestOf({ markers, weakest }: Pick<Side, "markers" | "weakest">): number {
  return markers[weakest[0] ?? 0] ?? 0;
}

/** The side that is ahead: the lowest marker counts first, then the next. */
export function strongest<S extends Pick<Side, "markers">>(sides: readonly S[]): S | null {
  const ranked = (side: S): number[] => side.markers.toSorted((a, b) => a - b);
  return sides.reduce<S | null>((best, side) => {
    if (!best) return side;
    const [mine, theirs] = [ranked(side), ranked(best)];
    const at = mine.findIndex((place, n) => place !== theirs[n]);
    return at >= 0 && (mine[at] ?? 0) > (theirs[at] ?? 0) ? side : best;
  }, null);
}

/** Two water lines at the same place would hide each other, so they are moved apart. */
export function waterLines(mine: number, theirs: number | null, nearest = 5): [mine: number, theirs: number | null] {
  if (theirs === null || Math.abs(mine - theirs) >= nearest) return [mine, theirs];
  const middle = (mine + theirs) / 2;
  const up = mine <= theirs ? -1 : 1;
  return [middle + (up * nearest) / 2, middle - (up * nearest) / 2];
}

type Put = { at: number; n: number };

/** Pennants at these heights, moved so that none covers another; the first stays put if possible. */
export function keptApart(wanted: readonly number[], gap: number, top: number, bottom: number): number[] {
  const [first = 0] = wanted;
  const others = wanted.map((at, n): Put => ({ at, n })).slice(1).sort((a, b) => a.at - b.at || a.n - b.n);
  const room = [first - top, bottom - first].map((length) => Math.floor(length / gap)) as [number, number];
  const higher = others.filter(({ at }) => at < first).length;
  // Those that find no room on their own side of the first move to the other.
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

/** Move one at least this far below the other, or above it. */
function push(one: Put | undefined, other: Put | undefined, gap: number): void {
  if (one && other) one.at = gap > 0 ? Math.max(one.at, other.at + gap) : Math.min(one.at, other.at + gap);
}

/** Keep the last one within the end, and move those before it out of its way. */
function within(order: Put[], gap: number, end: number): void {
  const last = order.at(-1);
  if (!last) return;
  last.at = gap > 0 ? Math.min(last.at, end) : Math.max(last.at, end);
  for (let n = order.length - 2; n >= 0; n--) push(order[n], order[n + 1], -gap);
}
