// The one action that a screen has under way, so that pressing twice sends once. Everything that a table or a lesson
// sends to the server, by socket or by HTTP, goes through here; this is also where to see whether it is still under way
// and why it failed.

import { Refusal, Unreachable, randomHex } from "./http";

/** A second press within this many milliseconds counts as accidental. */
const DOUBLE = 350;

export class UnderWay {
  /** Something was sent and has not been answered yet. */
  busy = $state(false);
  /** It is taking so long that this should be shown. */
  slow = $state(false);
  /** The last press was so recent that the next may be accidental, even if the answer has already come. */
  fresh = $state(false);
  /** How often something else was pressed meanwhile: it is not sent, and the player is told so. */
  refused = $state(0);
  /** Why the last action failed, or is not known to have succeeded. */
  failure = $state.raw<Error | null>(null);
  #id: string | null = null;
  #later: ReturnType<typeof setTimeout> | undefined;

  /** Send something unless something is under way. Returns whether it was sent. `done` or `failed` with its id ends it.
      */
  begin(send: (id: string) => void): boolean {
    if (this.refuses()) return false;
    const id = (this.#id = randomHex(24));
    this.failure = null;
    this.busy = this.fresh = true;
    clearTimeout(this.#later);
    this.#later = setTimeout(() => {
      this.fresh = false;
      this.slow = this.busy;
    }, DOUBLE);
    try {
      send(id);
    } catch (error) {
      this.failed(id, error);
    }
    return true;
  }

  /** The same for a promise, which ends by itself. */
  attempt(deed: () => Promise<unknown>): boolean {
    return this.begin((id) => void deed().then(() => this.done(id), (error: unknown) => this.failed(id, error)));
  }

  /** Whether a press comes too early, because something is under way. The player is told so, unless it was accidental.
      */
  refuses(): boolean {
    if (this.#id === null) return false;
    if (!this.fresh) this.refused += 1;
    return true;
  }

  /** The action is done; ignored if it is no longer under way. */
  done(id: string): void {
    if (id !== this.#id) return;
    this.#id = null;
    this.busy = this.slow = false;
    this.refused = 0;
  }

  failed(id: string, error: unknown): void {
    if (id !== this.#id) return;
    this.done(id);
    if (!(error instanceof Refusal || error instanceof Unreachable)) throw error;
    this.failure = error;
  }

  /** Clear the failure once it has been read. */
  forget(): void {
    this.failure = null;
  }
}
