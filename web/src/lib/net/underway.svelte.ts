// The one thing that a screen is doing: what is pressed twice is sent once. Whatever goes to the server from a table or
// a lesson goes through here, by socket or by HTTP, and here is read whether it is still on its way and why it failed.

import { Refusal, Unreachable, randomHex } from "./http";

/** Two presses within so many milliseconds are one that trembled. */
const DOUBLE = 350;

export class UnderWay {
  /** Something was sent and is not answered yet. */
  busy = $state(false);
  /** It takes so long that it should show. */
  slow = $state(false);
  /** The last press was so little ago that the next may belong to it, even where the answer is there already. */
  fresh = $state(false);
  /** How often somebody pressed something else meanwhile: they are told, and it is not sent. */
  refused = $state(0);
  /** Why the last thing was not done, or not known to be. */
  failure = $state.raw<Error | null>(null);
  #id: string | null = null;
  #later: ReturnType<typeof setTimeout> | undefined;

  /** Send something, unless something is under way: whether it was sent. `done` or `failed` with its id ends it. */
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

  /** The same for what tells by itself when it is done. */
  attempt(deed: () => Promise<unknown>): boolean {
    return this.begin((id) => void deed().then(() => this.done(id), (error: unknown) => this.failed(id, error)));
  }

  /** Whether a press comes too early, because something is under way. Who presses is told so, unless it trembled. */
  refuses(): boolean {
    if (this.#id === null) return false;
    if (!this.fresh) this.refused += 1;
    return true;
  }

  /** It is done. What is not under way any more changes nothing. */
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

  /** The failure was read. */
  forget(): void {
    this.failure = null;
  }
}
