// Stacked tiles seen from above: steps down to every lower neighbour. The same figures as in drawing/levels_svg.py.

import { type Point, RADIUS, centre, corners, polygon, unit } from "../look/geometry";
import type { Seen } from "./parse";
import type { Plan } from "./plan";
import type { BoardInfo } from "./types";

const STEP = 2.3;
/** How much of a step is painted; the rest separates it from the next. */
const TREAD = 1.8;
/** The most steps drawn, so that they never reach the symbol; beyond that, the number shows the level. */
const MOST = 3;
/** For each direction, how a side facing it is lit: the light comes from the upper left. */
const SLOPE = [2, 2, 1, 0, 0, 1];

/** For each of the three slopes, the sides of everything that is higher than its neighbour. */
export function slopes(board: BoardInfo, seen: readonly Seen[], around: Plan["around"]): [string, string, string] {
  const found: [string, string, string] = ["", "", ""];
  const height = (n: number): number => seen[n]?.height ?? 0;
  const at = (n: number): Point => centre(board.cells[n] ?? [0, 0]);

  // If a third cell is higher than the lower one, the steps meet inside the lower cell; otherwise they go round the
  // corner along the side between the lower two.
  const bisector = (n: number, third: number, lower: number, corner: Point): Point =>
    third < 0 || height(third) <= height(lower) ? unit(at(n), corner) : unit(corner, at(lower));

  seen.forEach((cell, n) => {
    for (let d = 0; d < 6; d++) {
      const lower = around[n]?.[d] ?? -1;
      if (lower < 0) continue;
      const steps = Math.min(MOST, cell.height - height(lower));
      if (steps <= 0) continue;
      const points = corners(RADIUS, at(n));
      const start = points[d] as Point;
      const end = points[(d + 1) % 6] as Point;
      const before = bisector(n, around[n]?.[(d + 5) % 6] ?? -1, lower, start);
      const after = bisector(n, around[n]?.[(d + 1) % 6] ?? -1, lower, end);
      for (let k = 0; k < steps; k++) {
        const [inner, outer] = [k * STEP, k * STEP + TREAD];
        found[SLOPE[d] as 0 | 1 | 2] += polygon([
          along(start, before, inner),
          along(end, after, inner),
          along(end, after, outer),
          along(start, before, outer),
        ]);
      }
    }
  });
  return found;
}

function along(corner: Point, way: Point, width: number): Point {
  const distance = width / Math.cos(Math.PI / 6);
  return [corner[0] + way[0] * distance, corner[1] + way[1] * distance];
}
