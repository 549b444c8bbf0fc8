// Mouse, pen and touch input on the board. A mouse aims where it points and places with a click; a finger aims at the
// nearest permitted cell, magnified, and rotates the tile with a second tap; two fingers zoom and pan the board.

import type { Point } from "../../look/geometry";
import type { Aim } from "../types";
import type { Zoom } from "./zoom.svelte";

/** How far a finger may miss, in cells. */
const REACH = 3;
/** A finger that moved less than this has tapped, in pixels. */
const STILL = 10;

/** What the player aims with. */
export type Hand = "mouse" | "touch" | "keys";

export interface Pointed {
  zoom: Zoom;
  /** From screen pixels to drawing units. */
  pointAt: (x: number, y: number) => Point;
  aimFrom: (x: number, y: number, reach: number) => Aim | null;
  takeFocus: () => void;
  isChoosing: () => boolean;
  aim: () => Aim | null;
  onTurn: (by: 1 | -1) => void;
}

export class Pointing {
  /** Whether the place under the finger is shown magnified. */
  lens = $state(false);
  /** The input used last. */
  hand = $state<Hand>("mouse");
  /** Set while a pointer is in use: it also gives cells the focus, which then must not change the aim. */
  active = false;
  readonly #fingers = new Map<number, Point>();
  #pinch: { apart: number; scale: number } | null = null;
  #tapped: { cell: number | undefined; x: number; y: number } | null = null;
  /** Work that waits for the next frame. */
  #due: (() => void) | null = null;
  #frame = 0;

  constructor(private readonly on: Pointed) {}

  down = (event: PointerEvent): void => {
    this.active = true;
    this.hand = event.pointerType === "mouse" ? "mouse" : "touch";
    if (event.pointerType === "mouse") {
      // The cell below would take the focus, and with it the keyboard's position, so the whole board gets it instead.
      event.preventDefault();
      this.on.takeFocus();
      return;
    }
    this.#fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.#fingers.size === 2) {
      this.#pinch = { apart: this.#spread(), scale: this.on.zoom.scale };
      this.#tapped = null;
      this.lens = false;
    } else if (this.on.isChoosing()) {
      this.#tapped = { cell: this.on.aim()?.cell, x: event.clientX, y: event.clientY };
      this.lens = true;
      this.on.aimFrom(event.clientX, event.clientY, REACH);
    }
  };

  move = (event: PointerEvent): void => {
    const { clientX, clientY, pointerId, pointerType } = event;
    if (pointerType === "mouse") {
      this.hand = "mouse";
      if (this.on.isChoosing()) this.#later(() => this.on.aimFrom(clientX, clientY, 1));
      return;
    }
    const before = this.#fingers.get(pointerId);
    if (!before) return;
    this.#fingers.set(pointerId, [clientX, clientY]);
    if (this.#pinch) {
      this.on.zoom.to((this.#pinch.scale * this.#spread()) / this.#pinch.apart);
      this.#pan(before, [clientX, clientY], 0.5);
    } else if (this.on.isChoosing() && this.lens) {
      this.#later(() => this.on.aimFrom(clientX, clientY, REACH));
    } else if (this.on.zoom.scale > 1) {
      this.#pan(before, [clientX, clientY], 1);
    }
  };

  up = (event: PointerEvent): void => {
    if (event.pointerType === "mouse") return;
    this.settle();
    this.#fingers.delete(event.pointerId);
    if (this.#fingers.size < 2) this.#pinch = null;
    const tapped = this.#tapped;
    const still = tapped && Math.hypot(event.clientX - tapped.x, event.clientY - tapped.y) < STILL;
    if (still && tapped.cell !== undefined && tapped.cell === this.on.aim()?.cell) this.on.onTurn(1);
    this.#tapped = null;
    this.lens = false;
  };

  /** Aim where the pointer is now. A press cannot wait for the next frame, because it may come before that. */
  settle(): void {
    cancelAnimationFrame(this.#frame);
    const due = this.#due;
    this.#due = null;
    due?.();
  }

  /** Pointers report more often than the screen is drawn; only the last report of a frame counts. */
  #later(work: () => void): void {
    cancelAnimationFrame(this.#frame);
    this.#due = work;
    this.#frame = requestAnimationFrame(() => this.settle());
  }

  #spread(): number {
    const [a, b] = [...this.#fingers.values()];
    return a && b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 1;
  }

  #pan(from: Point, to: Point, share: number): void {
    const [[ax, ay], [bx, by]] = [this.on.pointAt(...from), this.on.pointAt(...to)];
    this.on.zoom.move((bx - ax) * share, (by - ay) * share);
  }
}
