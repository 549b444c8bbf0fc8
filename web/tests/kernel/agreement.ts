// Games and searches that the kernel must reproduce to the last bit: reads the file written by Python
// (tools/kernel/expectations.py documents its format) and plays them again. Runs in Node and in a browser.

import { Choice } from "../../src/lib/kernel/choice";
import { BUDGET, POLICIES, SETTINGS, STATE, TOTALS } from "../../src/lib/kernel/entries";
import { Kernel } from "../../src/lib/kernel/kernel";

export interface Case {
  name: string;
  rules: Uint16Array;
  fresh: Uint8Array;
  worth: Uint16Array;
  weights: Float32Array;
  /** The hashes of games, by policy. */
  games: { random: BigUint64Array; greedy: BigUint64Array };
  searches: Search[];
}

export interface Search {
  seed: bigint;
  settings: Float64Array;
  hash: bigint;
}

export { Kernel };

/** The cases of a file written by a kernel of this version. */
export function read(file: ArrayBuffer, version: bigint): Case[] {
  let at = 0;
  const take = (bytes: number): ArrayBuffer => file.slice(at, (at += Math.ceil(bytes / 8) * 8)).slice(0, bytes);
  const numbers = (count: number): BigUint64Array => new BigUint64Array(take(8 * count));
  const counts = (count: number): number[] => [...numbers(count)].map(Number);
  const words = (bytes: number): string => new TextDecoder().decode(take(bytes)).replaceAll("\0", "");
  if (words(8) !== "GENIAL-2") throw new Error("this is no file of expectations");
  if (numbers(1)[0] !== version) throw new Error("the expectations were written by another version of the kernel; write them again");
  const [cases, learned] = counts(4);
  const weights = new Float32Array(take(4 * learned!));
  return Array.from({ length: cases! }, () => {
    const name = words(32);
    const [rules, state, worth, games, searches] = counts(5);
    return {
      name,
      rules: new Uint16Array(take(rules!)),
      fresh: new Uint8Array(take(state!)),
      worth: new Uint16Array(take(worth!)),
      weights,
      games: { random: numbers(games!), greedy: numbers(games!) },
      searches: Array.from({ length: searches! }, () => ({
        seed: numbers(1)[0]!,
        settings: new Float64Array(take(8 * SETTINGS.COUNT)),
        hash: numbers(1)[0]!,
      })),
    };
  });
}

/** What differs from the expectations; empty if nothing does. */
export function differences(module: WebAssembly.Module, cases: Case[]): string[] {
  const kernel = new Kernel(module);
  const found: string[] = [];
  for (const each of cases) {
    for (const policy of ["random", "greedy"] as const) {
      const played = each.games[policy].map((_, game) => play(kernel, each, policy, game));
      played.forEach((hash, game) => {
        if (hash !== each.games[policy][game]) found.push(`${each.name}: ${policy} game ${game}`);
      });
    }
    each.searches.forEach((asked, n) => {
      if (search(kernel, new Kernel(module), each, asked) !== asked.hash) found.push(`${each.name}: game ${n} by search`);
    });
  }
  return found;
}

/** Play a game by its number. Returns the hash of its final state. */
export function play(kernel: Kernel, each: Case, policy: "random" | "greedy", game: number): bigint {
  kernel.clear();
  const [rules, fresh, state] = [kernel.place(each.rules), kernel.place(each.fresh), kernel.reserve(each.fresh.length)];
  new DataView(kernel.bytes(state, each.fresh.length).buffer).setBigUint64(state + STATE.RNG, BigInt(game), true);
  const number = policy === "greedy" ? POLICIES.GREEDY : POLICIES.RANDOM;
  const placements = kernel.entries.play_many(rules, fresh, state, number, 1);
  return hashed([kernel.bytes(state, each.fresh.length).slice(), count(placements)]);
}

/** Play a game in one kernel by searches in another. Returns the hash of all they found, and of the final state. */
export function search(kernel: Kernel, searching: Kernel, each: Case, asked: Search): bigint {
  kernel.clear();
  const [rules, fresh, state] = [kernel.place(each.rules), kernel.place(each.fresh), kernel.reserve(each.fresh.length)];
  const world = (): Uint8Array<ArrayBuffer> => kernel.bytes(state, each.fresh.length).slice();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  kernel.entries.new(rules, fresh, state, asked.seed);
  for (let turn = 0; ; turn++) {
    const worlds = world();
    if (worlds[STATE.PHASE] === STATE.OVER) return hashed([...parts, worlds, count(turn)]);
    const seed = asked.seed + BigInt(turn);
    const choice = new Choice(searching, { ...each, settings: asked.settings, worlds, wanted: new Int32Array(1), seed });
    while (choice.step(BUDGET) > 0);
    const rows = choice.rows();
    parts.push(new Uint8Array(rows.buffer));
    kernel.entries.step(rules, state, rows[TOTALS.ACTION]!);
  }
}

function count(number: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(BigUint64Array.of(BigInt(number)).buffer);
}

/** The hash of some bytes; the length of each part is a multiple of 8. */
export function hashed(parts: Uint8Array<ArrayBuffer>[]): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const part of parts) {
    for (const number of new BigUint64Array(part.buffer)) {
      hash = BigInt.asUintN(64, (hash ^ number) * 0x100000001b3n);
      hash ^= hash >> 32n;
    }
  }
  return hash;
}
