// A choice of the kernel's: a search that is begun, gone on with in short steps, and asked for its result.
//
// Python says what is searched (`genial.bots.search`) and reads what was found; here are only memory and clock.

import { BUDGET, SETTINGS, TOTALS, type Address, type Whole } from "./entries";
import type { Kernel } from "./kernel";

/** So long, in milliseconds, until messages are let in. */
const SLICE = 10;

/** What is searched: arrays as Python lays them out. */
export interface Question {
  /** The tables of the variant and seat count. */
  rules: Uint16Array;
  settings: Float64Array;
  worth: Uint16Array;
  /** What was learned; empty where nothing was. */
  weights: Float32Array;
  /** States that the mover cannot tell from the true one, one behind the other. */
  worlds: Uint8Array;
  /** Actions that are candidates in any case. */
  wanted: Int32Array;
  seed: Whole;
}

export class Choice {
  /** How many candidates there are. */
  readonly candidates: number;
  readonly #kernel: Kernel;
  readonly #rules: Address;
  readonly #worth: Address;
  readonly #weights: Address;
  readonly #worlds: Address;
  readonly #space: Address;
  readonly #rows: Address;

  /** Begin. The kernel's memory is the choice's alone until the next one. */
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

  /** Go on for about as long as so many playouts take; how many parts of the work are left. 0: it is done. */
  step(budget: number, hurry = false): number {
    return this.#kernel.entries.choice_step(
      this.#rules, this.#worth, this.#weights, this.#worlds, this.#space, budget, Number(hurry),
    );
  }

  /** Go on to the end, with equal shares for each part of the time until a deadline of `performance.now()`.
      Messages are let in every few milliseconds; who aborts gets the signal's reason thrown. */
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

  /** What is known of the candidates, the best first: a row of `TOTALS` for each. May be asked before the end. */
  rows(): Float64Array<ArrayBuffer> {
    this.#kernel.entries.choice_result(this.#space, this.#rows);
    return this.#kernel.doubles(this.#rows, TOTALS.WIDTH * this.candidates).slice();
  }
}

/** Let in what has arrived meanwhile. A timer would wait for four milliseconds, a message comes at once. */
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
