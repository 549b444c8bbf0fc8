// Where places lie along a bar, and the shape of the bar. The same figures as drawing/tracks_svg.py.

import { number } from "../look/geometry";
import type { VariantInfo } from "./types";

export const BAR = 16;
export const PITCH = 20;
const INSET = 10;
/** Places are dotted where they lie at least this far apart. */
const DOTTED = 8;

export interface Scale {
  low: number;
  high: number;
  length: number;
  unit: number;
  dotted: boolean;
  x(place: number): number;
  /** Where a stretch of the track ends. */
  lines: number[];
  bonus: number[];
  /** The places whose numbers are written below. */
  numbered: number[];
}

/** The scale of a title's track on bars of this length. */
export function scaleOf(info: VariantInfo, length: number): Scale {
  const [low, high] = info.track;
  const unit = (length - 2 * INSET) / (high - low);
  const x = (place: number): number => INSET + (place - low) * unit;
  // Regions end between two places; a first board and the middle of the pegs are places themselves.
  const shift = info.board ? 0 : 0.5;
  const nines = high >= 18 ? Array.from({ length: Math.floor(high / 9) + 1 }, (_, n) => 9 * n) : [];
  const numbered = [...new Set([low, high, ...info.line_places, ...info.bonus_places, ...nines])];
  return {
    low,
    high,
    length,
    unit,
    dotted: unit >= DOTTED,
    x,
    lines: info.line_places.map((place) => x(place + shift)),
    bonus: info.bonus_places.map(x),
    numbered: numbered.sort((a, b) => a - b),
  };
}

/** A bar from the start to a place; a notched one ends in a cut, as a ribbon does. */
export function barPath(scale: Scale, place: number, top: number, notched: boolean): string {
  const start = scale.x(Math.max(scale.low, 0));
  const end = scale.x(place);
  const r = BAR / 2;
  const side = end < start ? -1 : 1;
  const pegs = scale.low < 0;
  const back = pegs ? (place === 0 ? end - INSET : start - side * INSET) : 0;
  const front = end + side * INSET;
  const turn = side > 0 ? 1 : 0;
  const head = `M${number(back + side * r)} ${top + BAR}A${r} ${r} 0 0 ${turn} ${number(back + side * r)} ${top}`;
  if (notched) {
    const tip = number(front + side * 4);
    return `${head}H${tip}L${number(front - side)} ${top + r}L${tip} ${top + BAR}z`;
  }
  const bend = number(front - side * r);
  return `${head}H${bend}A${r} ${r} 0 0 ${turn} ${bend} ${top + BAR}z`;
}
