// A tile that is dragged from the rack: it follows the pointer, and the board aims below it. One report a frame.

import type { Play } from "./play.svelte";
import type { Aim } from "./types";

/** A finger hides what it does, so that the tile floats above it, in pixels. */
const ABOVE_FINGER = 60;
const REACH = 1.2;

export interface Target {
  aimFrom: (x: number, y: number, reach: number) => Aim | null | void;
}

export class Drag {
  #frame = 0;

  constructor(
    private readonly play: Play,
    private readonly target: () => Target | undefined,
  ) {}

  start(n: number, event: PointerEvent): void {
    if (!this.play.placing || !this.play.info.board) return;
    this.play.choice.take(n);
    this.#follow(event.clientX, event.clientY, event.pointerType !== "mouse");
  }

  move = (event: PointerEvent): void => {
    if (!this.play.choice.drag) return;
    const { clientX, clientY, pointerType } = event;
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#follow(clientX, clientY, pointerType !== "mouse"));
  };

  drop = (event: PointerEvent): void => {
    const { choice } = this.play;
    if (!choice.drag) return;
    cancelAnimationFrame(this.#frame);
    const { touch } = choice.drag;
    this.#follow(event.clientX, event.clientY, touch);
    choice.drag = null;
    // A finger confirms with the button.
    if (!this.play.spot) this.play.putBack();
    else if (!touch) this.play.place();
  };

  cancel = (): void => {
    cancelAnimationFrame(this.#frame);
    if (this.play.choice.drag) this.play.putBack();
  };

  #follow(x: number, y: number, touch: boolean): void {
    const above = touch ? y - ABOVE_FINGER : y;
    this.play.choice.drag = { x, y: above, touch };
    this.target()?.aimFrom(x, above, REACH);
  }
}
