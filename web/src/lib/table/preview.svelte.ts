// Where the points of an aimed move come from. Points themselves are in `legal`; rays and matches are asked for when
// the pointer rests, once for each move of a moment, and never more often than the server lets anybody ask. A question
// about a position that passes is taken back: the server would refuse it.

import type { Explain, Explained } from "./types";

/** How long the pointer rests before we ask, and how long we wait after the last question, in milliseconds. */
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

  /** Ask nothing more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#takeBack();
  }

  /** Another moment: nothing that was known holds any more. */
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
      // The preview stays without rays; the move itself will say what is wrong.
    }
  }
}
