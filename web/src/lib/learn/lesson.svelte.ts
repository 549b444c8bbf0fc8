// A lesson as the server tells it: the moves so far go there, and what stands on the table comes back. The moves are
// kept for as long as the tab is open, so that a reload returns to the same step.

import type { Explained, LessonView } from "../api";
import { Refusal, call } from "../net/http";
import { house } from "../net/house.svelte";
import { prefs } from "../prefs.svelte";

const KEY = "genial-lesson-";

export class Lesson {
  view = $state.raw<LessonView | null>(null);
  problem = $state("");
  pending = $state(false);

  constructor(readonly variant: string) {}

  /** Where the moves lead that this tab remembers; from the start where they lead nowhere. */
  async open(): Promise<void> {
    await this.#ask(this.#kept());
    if (!this.view && this.#kept().length) await this.again();
  }

  again(): Promise<void> {
    return this.#ask([]);
  }

  /** Do something. What is not asked for, or not lawful, changes nothing and says why. */
  act(move: string): Promise<void> {
    return this.#ask([...(this.view?.moves ?? []), move]);
  }

  /** Take the last step back. */
  back(): Promise<void> {
    return this.#ask((this.view?.moves ?? []).slice(0, -1));
  }

  explain(move: string, signal: AbortSignal): Promise<Explained> {
    return call("POST /api/lessons/{variant}/explain", {
      path: { variant: this.variant },
      body: { move, moves: this.view?.moves ?? [] },
      signal,
    });
  }

  async #ask(moves: string[]): Promise<void> {
    if (this.pending) return;
    this.pending = true;
    this.problem = "";
    try {
      const found = await call("POST /api/lessons/{variant}", {
        path: { variant: this.variant },
        query: { language: prefs.language },
        body: { moves },
      });
      this.view = found;
      this.#keep(found.moves);
      if (found.step === found.steps) prefs.learn(this.variant);
    } catch (error) {
      if (!(error instanceof Refusal) || this.view) this.problem = house.sayError(error);
    } finally {
      this.pending = false;
    }
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
