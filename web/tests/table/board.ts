// Boards for tests, numbered as on the server: cells by q, then r; pairs by cell and direction.

import type { BoardInfo, VariantInfo } from "../../src/lib/api";
import { DIRECTIONS } from "../../src/lib/look/geometry";

export function hexagon(radius: number): BoardInfo {
  const cells: [number, number][] = [];
  for (let q = -radius; q <= radius; q++)
    for (let r = -radius; r <= radius; r++) if (Math.abs(q + r) <= radius) cells.push([q, r]);
  const number = new Map(cells.map((cell, n) => [cell.join(), n]));
  const pairs = cells.flatMap(([q, r], n) =>
    DIRECTIONS.slice(0, 3).flatMap(([dq, dr]): [number, number][] => {
      const other = number.get([q + dq, r + dr].join());
      return other === undefined ? [] : [[n, other]];
    }),
  );
  const names = cells.map(([q, r]) => {
    const leftmost = Math.max(-radius, -radius - r);
    return `${String.fromCharCode(97 + r + radius)}${q - leftmost + 1}`;
  });
  return { radius, cells, names, pairs, start: {}, loose: false };
}

export const CLASSIC: VariantInfo = {
  variant: "classic",
  names: {},
  seats: [2, 3, 4],
  tiles: [120, 120, 120],
  turns: [17, 16, 14],
  sample: { seats: 2, table: "" },
  rack: 6,
  solo: false,
  sides: "each",
  board: true,
  stacking: false,
  track: [0, 18],
  bonus_steps: [18],
  line_steps: [],
  swaps: true,
  reconstructed: false,
  ours: false,
  lesson: "classic",
  page: "classic",
};

export const DUEL: VariantInfo = {
  ...CLASSIC,
  variant: "duel",
  sides: "shared",
  track: [-9, 9],
  bonus_steps: [9],
  line_steps: [0],
};
