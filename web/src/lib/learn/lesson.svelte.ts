// A lesson as played with the server: it is sent the moves so far and returns the table. The moves are kept while the
// tab is open, so that a reload returns to the same step.

import type { Explained, LessonView } from "../api";
import { Refusal, call } from "../net/http";
import { shared } from "../net/shared";
import { UnderWay } from "../net/underway.svelte";
import { prefs } from "../prefs.svelte";

const KEY = "genial-lesson-";
/** Listed among the moves: go on to the next step. */
const NEXT = "next";

export class Lesson {
  view = $state.raw<LessonView | null>(null);
  /** The lines of the step's move. */
  explained = $state.raw<Explained | null>(null);
  readonly underWay = new UnderWay();

  constructor(readonly variant: string) {}

  /** Whether the learner has reached the end. */
  readonly finished = $derived(this.view !== null && this.view.step === this.view.steps);
  /** Whether the learner has something to do. */
  readonly asks = $derived(this.view !== null && !this.view.done);
  /** Whether there is a completed move that can be shown again. */
  readonly shown = $derived(this.view !== null && this.view.done && this.view.move !== null);

  /** Resume where the moves kept by this tab lead, or start over if the server rejects them. */
  open(): void {
    const kept = this.#kept();
    this.underWay.attempt(async () => {
      try {
        await this.#ask(kept);
      } catch (error) {
        if (!(error instanceof Refusal) || !kept.length) throw error;
        await this.#ask([]);
      }
    });
  }

  again(): void {
    this.underWay.attempt(() => this.#ask([]));
  }

  /** Make a move. One that is not asked for, or not legal, changes nothing and reports why. */
  act(move: string): void {
    this.underWay.attempt(() => this.#ask([...this.#moves, move]));
  }

  /** Go on to the next step, once the result has been seen. */
  next(): void {
    this.act(NEXT);
  }

  /** Go back to the start of this step, or to the one before. */
  back(): void {
    const moves = this.#moves;
    this.underWay.attempt(() => this.#ask(this.shown ? moves.slice(0, -1) : moves.slice(0, begun(moves))));
  }

  /** Restore the position before this step's move, in order to show it again. */
  async undo(): Promise<void> {
    await this.#ask(this.#moves.slice(0, -1));
  }

  explain(move: string, signal: AbortSignal): Promise<Explained> {
    return this.#explain(move, this.#moves, signal);
  }

  get #moves(): string[] {
    return this.view?.moves ?? [];
  }

  #explain(move: string, moves: string[], signal?: AbortSignal): Promise<Explained> {
    const body = { move, moves };
    return call("POST /api/lessons/{variant}/explain", { path: { variant: this.variant }, body, ...(signal && { signal }) });
  }

  async #ask(moves: string[]): Promise<void> {
    const found = await call("POST /api/lessons/{variant}", {
      path: { variant: this.variant },
      query: { language: prefs.language },
      body: { moves },
    });
    const before = this.view;
    this.view = shared(before, found);
    this.#keep(found.moves);
    if (found.step === found.steps) prefs.learn(this.variant);
    if (found.move !== before?.move || found.step !== before.step) void this.#light(found);
  }

  /** Fetch the lines of a step's move, so that they can be lit and shown. */
  async #light({ move, moves, done }: LessonView): Promise<void> {
    this.explained = null;
    if (!move?.includes("@")) return;
    const found = await this.#explain(move, done ? moves.slice(0, -1) : moves).catch(() => null);
    if (this.view?.move === move) this.explained = found;
  }

  #kept(): string[] {
    try {
      const found: unknown = JSON.parse(sessionStorage.getItem(KEY + this.variant) ?? "[]");
      return Array.isArray(found) ? found.filter((move) => typeof move === "string") : [];
    } catch {
      return [];
    }
  }

  #keep(moves: readonly string[]): void {
    try {
      sessionStorage.setItem(KEY + this.variant, JSON.stringify(moves));
    } catch {
      // The browser stores nothing: the lesson will start from the beginning.
    }
  }
}

/** Where the previous step began: after the last `next` but one. */
function begun(moves: readonly string[]): number {
  return moves.lastIndexOf(NEXT, moves.lastIndexOf(NEXT) - 1) + 1;
}
