// Work to be timed, the same as tools/kernel/web.py gives the native library.

import { Choice } from "../../src/lib/kernel/choice";
import { BUDGET, POLICIES, STATE, TOTALS } from "../../src/lib/kernel/entries";
import type { Kernel } from "../../src/lib/kernel/kernel";
import type { Case } from "./agreement";

/** Play games at random or greedily. Returns how many tiles or cards that took. */
export function play(kernel: Kernel, each: Case, policy: "RANDOM" | "GREEDY", games: number): number {
  kernel.clear();
  const [rules, fresh, state] = [kernel.place(each.rules), kernel.place(each.fresh), kernel.reserve(each.fresh.length)];
  return kernel.entries.play_many(rules, fresh, state, POLICIES[policy], games);
}

/** Play one game in one kernel by searches in another, set up as the case's n-th search. Returns the number of turns.
    */
export function search(kernel: Kernel, searching: Kernel, each: Case, n: number): number {
  const { seed, settings } = each.searches[n]!;
  kernel.clear();
  const [rules, fresh, state] = [kernel.place(each.rules), kernel.place(each.fresh), kernel.reserve(each.fresh.length)];
  kernel.entries.new(rules, fresh, state, seed);
  for (let turn = 0; ; turn++) {
    const worlds = kernel.bytes(state, each.fresh.length).slice();
    if (worlds[STATE.PHASE] === STATE.OVER) return turn;
    const choice = new Choice(searching, { ...each, settings, worlds, wanted: new Int32Array(1), seed: seed + BigInt(turn) });
    while (choice.step(BUDGET) > 0);
    kernel.entries.step(rules, state, choice.rows()[TOTALS.ACTION]!);
  }
}
