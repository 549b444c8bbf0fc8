// What the viewer has chosen but not done yet: the table screen's only state. All else follows from it and the table.

import type { Aim } from "./types";

export class Choice {
  /** The tile or card taken from the rack, by its position there. */
  held = $state<number | null>(null);
  /** Where it is aimed. */
  aim = $state.raw<Aim | null>(null);
  /** The tile's last direction, which it keeps from cell to cell. */
  direction = $state(0);
  /** Card game: the chosen order of symbols. */
  spelled = $state<string | null>(null);
  /** Whether points are shown as a heat map. */
  heat = $state(false);
  /** The tile being dragged, and where it floats on the screen. */
  drag = $state.raw<{ n: number; x: number; y: number; touch: boolean } | null>(null);
  /** What was missing when somebody tried to place an incomplete move. */
  missing = $state<"tile" | "space" | null>(null);

  /** Take a tile, or put it back. */
  take(n: number | null): void {
    this.held = n;
    this.aim = null;
    this.spelled = null;
    this.drag = null;
    this.missing = null;
  }

  aimAt(aim: Aim | null): void {
    this.aim = aim;
    if (aim) this.missing = null;
    if (aim) this.direction = aim.direction;
  }
}
