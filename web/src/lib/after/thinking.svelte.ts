// An analysis in progress: started once, then polled until it is done.

import type { Analysis } from "../api";
import { call } from "../net/http";
import { analyse, type Source } from "./source";

const EVERY_MS = 800;

export class Thinking {
  analysis = $state.raw<Analysis | null>(null);
  busy = $state(false);
  failed = $state.raw<unknown>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #left = false;

  constructor(private readonly source: Source) {}

  async start(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.failed = null;
    await this.#take(() => analyse(this.source));
  }

  /** Stop polling: nobody is looking any more. */
  leave(): void {
    this.#left = true;
    clearTimeout(this.#timer);
  }

  async #take(ask: () => Promise<Analysis>): Promise<void> {
    try {
      const found = await ask();
      this.analysis = found;
      this.busy = found.state === "running";
      if (!this.busy || this.#left) return;
      const again = () => call("GET /api/analyses/{analysis}", { path: { analysis: found.id } });
      this.#timer = setTimeout(() => void this.#take(again), EVERY_MS);
    } catch (error) {
      this.failed = error;
      this.busy = false;
    }
  }
}
