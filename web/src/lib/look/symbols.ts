// The six symbols as paths, distinguished by shape first. Sizes are fractions of the cell's radius.

import { type Point, RADIUS, number, polar, polygon } from "./geometry";
import palette from "./palette.json";

/** The letters of the colours, in the order used everywhere. */
export const COLOURS: string = palette.colours;

const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

function star(points: number, outer: number, inner: number): string {
  const step = 180 / points;
  return polygon(
    range(2 * points).map((n) => polar(step * n - 90, RADIUS * (n % 2 ? inner : outer))),
  );
}

function circle(fraction: number, clockwise = true): string {
  const r = number(RADIUS * fraction);
  const sweep = clockwise ? 1 : 0;
  return `M${r} 0A${r} ${r} 0 1 ${sweep} -${r} 0A${r} ${r} 0 1 ${sweep} ${r} 0z`;
}

function ray(n: number): string {
  const points: Point[] = [
    polar(30 * n - 9, 0.44 * RADIUS),
    polar(30 * n, 0.66 * RADIUS),
    polar(30 * n + 9, 0.44 * RADIUS),
  ];
  return polygon(points);
}

/** The outline of each colour's symbol, in a cell of the usual radius around (0, 0). */
export const SYMBOL_PATHS: readonly string[] = [
  star(12, 0.62, 0.44),
  polygon(range(6).map((n) => polar(60 * n, 0.6 * RADIUS))),
  circle(0.36) + range(12).map(ray).join(""),
  circle(0.5),
  star(6, 0.68, 0.36),
  // The hole runs the other way round, so that it stays open under any fill rule.
  circle(0.58) + circle(0.3, false),
];

/** The number of the colour with this letter; -1 for anything else. */
export function colourOf(letter: string | undefined): number {
  return letter ? COLOURS.indexOf(letter) : -1;
}

/** The two colours of a tile; null for a hidden tile. */
export function coloursOf(tile: string): [number, number] | null {
  const first = colourOf(tile[0]);
  const second = colourOf(tile[1]);
  return first < 0 || second < 0 ? null : [first, second];
}
