// Dragging a tile from the rack: it follows the pointer, and the board aims below it, once per frame. Dropped on
// another recess of the rack it changes places with the tile there, no matter whose turn it is.

import type { Play } from "./play.svelte";
import type { RackOrder } from "./rackorder.svelte";
import type { Aim } from "./types";

/** The tile floats this far above the finger, which would hide it, in pixels. */
const ABOVE_FINGER = 60;
const REACH = 1.2;

export interface Target {
  aimFrom: (x: number, y: number, reach: number) => Aim | null | void;
}

export class Drag {
  #frame = 0;

  constructor(
    private readonly play: Play,
    private readonly order: RackOrder,
    private readonly target: () => Target | undefined,
  ) {}

  start(n: number, event: PointerEvent): void {
    if (!this.play.info.board) return;
    if (this.play.placing) this.play.choice.take(n);
    this.#follow(n, event.clientX, event.clientY, event.pointerType !== "mouse");
  }

  move = (event: PointerEvent): void => {
    const { drag } = this.play.choice;
    if (!drag) return;
    const { clientX, clientY, pointerType } = event;
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#follow(drag.n, clientX, clientY, pointerType !== "mouse"));
  };

  drop = (event: PointerEvent): void => {
    const { choice } = this.play;
    if (!choice.drag) return;
    cancelAnimationFrame(this.#frame);
    const { n, touch } = choice.drag;
    const slot = slotAt(event.clientX, event.clientY);
    if (slot === null) this.#follow(n, event.clientX, event.clientY, touch);
    choice.drag = null;
    if (slot !== null) return this.#lay(n, slot);
    // With touch, the button confirms.
    if (!this.play.spot) this.play.putBack();
    else if (!touch) this.play.place();
  };

  cancel = (): void => {
    cancelAnimationFrame(this.#frame);
    if (this.play.choice.drag) this.play.putBack();
  };

  /** Back on the rack: dropped on its own recess it stays in hand. */
  #lay(n: number, slot: number): void {
    const from = this.order.slotOf(n);
    if (from === slot) return;
    this.play.putBack();
    if (from >= 0) this.order.exchange(from, slot);
  }

  #follow(n: number, x: number, y: number, touch: boolean): void {
    const above = touch ? y - ABOVE_FINGER : y;
    this.play.choice.drag = { n, x, y: above, touch };
    if (this.play.tile) this.target()?.aimFrom(x, above, REACH);
  }
}

/** The recess below a pointer. */
function slotAt(x: number, y: number): number | null {
  const found = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-slot]");
  return found ? Number(found.dataset["slot"]) : null;
}
