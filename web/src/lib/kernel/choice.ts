// A search in the kernel: started, continued in short steps, and asked for its result.
//
// Python decides what to search (`genial.bots.search`) and interprets the result; here are only memory and time.

import { BUDGET, SETTINGS, TOTALS, type Address, type Whole } from "./entries";
import type { Kernel } from "./kernel";

/** How long to search before letting messages in, in milliseconds. */
const SLICE = 10;

/** What to search: arrays as laid out by Python. */
export interface Question {
  /** The tables of the variant and seat count. */
  rules: Uint16Array;
  settings: Float64Array;
  worth: Uint16Array;
  /** Learned weights; empty if there are none. */
  weights: Float32Array;
  /** States that the mover cannot tell from the true one, one after another. */
  worlds: Uint8Array;
  /** Actions that are always candidates. */
  wanted: Int32Array;
  seed: Whole;
}

export class Choice {
  /** The number of candidates. */
  readonly candidates: number;
  readonly #kernel: Kernel;
  readonly #rules: Address;
  readonly #worth: Address;
  readonly #weights: Address;
  readonly #worlds: Address;
  readonly #space: Address;
  readonly #rows: Address;

  /** Start a search. It owns the kernel's memory until the next one. */
  constructor(kernel: Kernel, question: Question) {
    if (question.settings.length !== SETTINGS.COUNT) throw new RangeError(`${question.settings.length} settings instead of ${SETTINGS.COUNT}`);
    kernel.clear();
    this.#kernel = kernel;
    this.#rules = kernel.place(question.rules);
    this.#worth = kernel.place(question.worth);
    this.#weights = kernel.place(question.weights);
    this.#worlds = kernel.place(question.worlds);
    const settings = kernel.place(question.settings);
    const wanted = kernel.place(question.wanted);
    this.#space = kernel.reserve(kernel.entries.choice_size(this.#rules, settings));
    this.candidates = kernel.entries.choice_begin(
      this.#rules, settings, this.#worth, this.#weights, this.#worlds, wanted, this.#space, question.seed,
    );
    this.#rows = kernel.reserve(8 * TOTALS.WIDTH * this.candidates);
  }

  /** Continue for about as long as `budget` playouts take. Returns how many parts of the work are left, 0 when done. */
  step(budget: number, hurry = false): number {
    return this.#kernel.entries.choice_step(
      this.#rules, this.#worth, this.#weights, this.#worlds, this.#space, budget, Number(hurry),
    );
  }

  /** Run to the end. Each part of the work gets an equal share of the time until the deadline, a value of
      `performance.now()`. Messages are let in every few milliseconds; aborting throws the signal's reason. */
  async run(deadline = Infinity, signal?: AbortSignal): Promise<void> {
    let slice = performance.now() + SLICE;
    let part = this.step(0);
    while (part > 0) {
      const begun = performance.now();
      const until = begun + (deadline - begun) / part;
      let left = part;
      while (left === part) {
        const now = performance.now();
        if (now > slice) {
          await messages();
          signal?.throwIfAborted();
          slice = performance.now() + SLICE;
        }
        left = this.step(BUDGET, now > until);
      }
      part = left;
    }
  }

  /** The totals of the candidates, best first: a row of `TOTALS` each. May be called before the end. */
  rows(): Float64Array<ArrayBuffer> {
    this.#kernel.entries.choice_result(this.#space, this.#rows);
    return this.#kernel.doubles(this.#rows, TOTALS.WIDTH * this.candidates).slice();
  }
}

/** Let queued messages in. A timer would wait four milliseconds, a message arrives at once. */
function messages(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
