// Shows what others did, one placement after another. The state itself is there at once and input never waits: taking a
// tile shows everything as it is. With reduced motion nothing is held back.

import type { EventData } from "./types";

/** How long one placement is shown before the next, in milliseconds; less when many are waiting. */
const STEP = 1500;
const HURRIED = 500;
const MANY = 4;

export class Motion {
  /** The event being shown: the tile settles and shows its points. */
  current = $state.raw<EventData | null>(null);
  /** Events not shown yet. */
  waiting = $state.raw<readonly EventData[]>([]);
  #game = -1;
  #count = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly isStill: () => boolean = () => false) {}

  /** Pass in the current events of a game. Returns those that are new since the last call. */
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

  /** How long until the last of them is shown, in milliseconds. */
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

/** Whether reduced motion is wanted: by the system's setting, or by choice. */
export function wantsStill(): boolean {
  return document.documentElement.hasAttribute("data-still") || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
