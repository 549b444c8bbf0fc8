// Where the points of an aimed move come from. The points themselves are in `legal`; rays and matches are requested
// when the pointer rests, once per move of a moment and never more often than the server permits. A request about a
// position that has passed is aborted, since the server would refuse it.

import type { Explain, Explained } from "./types";

/** How long the pointer must rest before we ask, and the minimum interval between requests, in milliseconds. */
const DWELL = 120;
const GAP = 350;

export class Preview {
  explained = $state.raw<Explained | null>(null);
  readonly #known = new Map<string, Explained>();
  #move: string | null = null;
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #open: AbortController | null = null;

  constructor(private readonly explain: Explain) {}

  /** Look at a move, or at none. */
  look(move: string | null): void {
    clearTimeout(this.#timer);
    this.#move = move;
    if (!move) this.#takeBack();
    this.explained = (move && this.#known.get(move)) || null;
    if (!move || this.explained) return;
    const wait = Math.max(DWELL, this.#asked + GAP - performance.now());
    this.#timer = setTimeout(() => void this.#ask(move), wait);
  }

  /** Stop asking. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#takeBack();
  }

  /** A new moment: nothing known so far still holds. */
  clear(): void {
    this.stop();
    this.#known.clear();
    this.explained = null;
  }

  #takeBack(): void {
    this.#open?.abort();
    this.#open = null;
  }

  async #ask(move: string): Promise<void> {
    this.#asked = performance.now();
    const { signal } = (this.#open ??= new AbortController());
    try {
      const found = await this.explain(move, signal);
      if (signal.aborted) return;
      this.#known.set(move, found);
      if (this.#move === move) this.explained = found;
    } catch {
      // The preview stays without rays; making the move will show what is wrong.
    }
  }
}
