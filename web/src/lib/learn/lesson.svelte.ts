// A lesson as the server tells it: the moves so far go there, and what stands on the table comes back. The moves are
// kept for as long as the tab is open, so that a reload returns to the same step.

import type { Explained, LessonView } from "../api";
import { Refusal, call } from "../net/http";
import { shared } from "../net/shared";
import { UnderWay } from "../net/underway.svelte";
import { prefs } from "../prefs.svelte";

const KEY = "genial-lesson-";
/** Said among the moves: on to the next step. */
const NEXT = "next";

export class Lesson {
  view = $state.raw<LessonView | null>(null);
  /** The lines of the move that the step is about. */
  explained = $state.raw<Explained | null>(null);
  readonly underWay = new UnderWay();

  constructor(readonly variant: string) {}

  /** Whether the learner has come to the end. */
  readonly finished = $derived(this.view !== null && this.view.step === this.view.steps);
  /** Whether the learner is to do something. */
  readonly asks = $derived(this.view !== null && !this.view.done);
  /** Whether something was done that can be shown once more. */
  readonly shown = $derived(this.view !== null && this.view.done && this.view.move !== null);

  /** Where the moves lead that this tab remembers; from the start where they lead nowhere. */
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

  /** Do something. What is not asked for, or not lawful, changes nothing and says why. */
  act(move: string): void {
    this.underWay.attempt(() => this.#ask([...this.#moves, move]));
  }

  /** What was done has been seen: on to the next step. */
  next(): void {
    this.act(NEXT);
  }

  /** To where this step began, or the one before. */
  back(): void {
    const moves = this.#moves;
    this.underWay.attempt(() => this.#ask(this.shown ? moves.slice(0, -1) : moves.slice(0, begun(moves))));
  }

  /** As it was before this step was done, for as long as it takes to show it once more. */
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

  /** The lines of a step's move: what it is about can be lit and shown. */
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
      // A browser that keeps nothing begins at the start again.
    }
  }
}

/** Where the step before the one at hand began: after the last `next` but one. */
function begun(moves: readonly string[]): number {
  return moves.lastIndexOf(NEXT, moves.lastIndexOf(NEXT) - 1) + 1;
}
