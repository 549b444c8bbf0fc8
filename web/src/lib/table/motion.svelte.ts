// What others did, shown one after the other. The state is there at once and input never waits: whoever takes a tile
// sees everything as it is. With reduced motion nothing is held back.

import type { EventData } from "./types";

/** How long one placement is shown before the next, in milliseconds; less when many wait. */
const STEP = 1500;
const HURRIED = 500;
const MANY = 4;

export class Motion {
  /** The event that is being shown: it settles and tells its points. */
  current = $state.raw<EventData | null>(null);
  /** Events that are not shown yet. */
  waiting = $state.raw<readonly EventData[]>([]);
  #game = -1;
  #count = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly isStill: () => boolean = () => false) {}

  /** The events of a game as they are now; what is new since the last time is returned. */
  follow(game: number, events: readonly EventData[]): readonly EventData[] {
    const known = game === this.#game && events.length >= this.#count;
    const fresh = known ? events.slice(this.#count) : [];
    this.#game = game;
    this.#count = events.length;
    if (!known) this.flush();
    const moves = fresh.filter((event) => event.type === "place" || event.type === "play");
    if (!moves.length) return fresh;
    if (this.isStill()) this.current = moves.at(-1) ?? null;
    else {
      this.waiting = [...this.waiting, ...moves];
      if (this.#timer === undefined) this.#next();
    }
    return fresh;
  }

  /** How long it takes until the last of them is shown, in milliseconds. */
  get behind(): number {
    return this.waiting.length * STEP;
  }

  /** Show everything now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.waiting = [];
    this.current = null;
  }

  #next(): void {
    const [first, ...rest] = this.waiting;
    this.#timer = undefined;
    if (!first) return;
    this.current = first;
    this.waiting = rest;
    this.#timer = setTimeout(() => this.#next(), rest.length >= MANY ? HURRIED : STEP);
  }
}

/** Whether this reader wishes little motion: by the system, or by choice. */
export function wantsStill(): boolean {
  return document.documentElement.hasAttribute("data-still") || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
