// What the viewer has chosen and not yet done: the one state of the table screen. Everything else on it
// follows from the table and from this.

import type { Aim } from "./types";

export class Choice {
  /** The tile or card taken from the rack, by its place there. */
  held = $state<number | null>(null);
  /** Where it is aimed. */
  aim = $state.raw<Aim | null>(null);
  /** How the tile was last turned: it stays so from place to place. */
  direction = $state(0);
  /** Card game: the chosen order of symbols. */
  spelled = $state<string | null>(null);
  /** Whether points are shown as a heat map. */
  heat = $state(false);
  /** Which tile is dragged, and where it floats on the screen. */
  drag = $state.raw<{ n: number; x: number; y: number; touch: boolean } | null>(null);
  /** Somebody asked to place what is not chosen yet: what is missing. */
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
