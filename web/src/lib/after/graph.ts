// Lines over the moves of a game, computed before they are drawn.

export interface Line {
  name: string;
  /** By ply; null where nothing is known. */
  values: readonly (number | null)[];
}

export interface Plot {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Scale {
  x: (ply: number) => number;
  y: (value: number) => number;
  /** Values with a grid line and a number. */
  ticks: number[];
}

/** Maps plies and values to positions in the plot. */
export function scaleOf(lines: readonly Line[], last: number, plot: Plot, range?: readonly [number, number]): Scale {
  const values = lines.flatMap((line) => line.values.filter((value) => value !== null));
  const [low, high] = range ?? [Math.min(0, ...values), Math.max(1, ...values)];
  const ticks = range ? [low, (low + high) / 2, high] : ticksOf(low, high);
  const [bottom, top] = [Math.min(low, ticks[0] ?? low), Math.max(high, ticks.at(-1) ?? high)];
  const wide = plot.width - plot.left - plot.right;
  const tall = plot.height - plot.top - plot.bottom;
  return {
    x: (ply) => plot.left + (wide * ply) / Math.max(1, last),
    y: (value) => plot.top + (tall * (top - value)) / (top - bottom || 1),
    ticks,
  };
}

/** About four round numbers from the lowest value to the highest. */
export function ticksOf(low: number, high: number): number[] {
  const rough = Math.max((high - low) / 4, 1e-9);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10) * power);
  const first = Math.floor(low / step) * step;
  return Array.from({ length: Math.ceil((high - first) / step) + 1 }, (_, n) => first + n * step);
}

/** A line through all known values, with gaps where a value is missing. */
export function pathOf({ values }: Line, { x, y }: Scale): string {
  let drawn = false;
  return values
    .map((value, ply) => {
      if (value === null) {
        drawn = false;
        return "";
      }
      const step = `${drawn ? "L" : "M"}${x(ply).toFixed(1)} ${y(value).toFixed(1)}`;
      drawn = true;
      return step;
    })
    .join("");
}

/** Where a line carries its shape: a few times, in different places for each line. */
export function stopsOf({ values }: Line, n: number, count: number): { ply: number; value: number }[] {
  const every = Math.max(4, Math.round(values.length / 6));
  const first = Math.round((every * (n + 0.5)) / count);
  return values.flatMap((value, ply) => (value !== null && ply % every === first % every ? [{ ply, value }] : []));
}

/** The last known value up to a ply. */
export function valueAt({ values }: Line, ply: number): number | null {
  for (let n = Math.min(ply, values.length - 1); n >= 0; n--) {
    const value = values[n];
    if (value !== null && value !== undefined) return value;
  }
  return null;
}

/** The ply under a point. */
export function plyAt(x: number, last: number, { left, right, width }: Plot): number {
  const share = (x - left) / Math.max(1, width - left - right);
  return Math.min(last, Math.max(0, Math.round(share * last)));
}

/** Lines differ by dashes and shapes, not by colour alone: the viewer's own is solid with a pennant pointing right; the
    others are dashed, with a pennant pointing left, a square or a diamond. */
export const DASHES = ["none", "2 5", "9 5", "9 4 2 4"];
export const SHAPES = [
  "M-4.5 -4.5H1L5.5 0L1 4.5H-4.5z",
  "M4.5 -4.5H-1L-5.5 0L-1 4.5H4.5z",
  "M-4 -4H4V4H-4z",
  "M0 -5L5 0L0 5L-5 0z",
];

/** The style number of a line; if none is the viewer's own, the first is the solid one. */
export function styleOf(n: number, own: number | null): number {
  const first = own ?? 0;
  return n === first ? 0 : n < first ? n + 1 : n;
}

/** A line that rises in steps: a value holds until the move that changes it. */
export function pathOfSteps(values: readonly number[], x: (move: number) => number, y: (value: number) => number): string {
  const [first = 0, ...rest] = values;
  let [before, path] = [first, `M${x(0).toFixed(1)} ${y(first).toFixed(1)}`];
  rest.forEach((value, n) => {
    if (value !== before) path += `H${x(n + 1).toFixed(1)}V${y(value).toFixed(1)}`;
    before = value;
  });
  return `${path}H${x(rest.length).toFixed(1)}`;
}
