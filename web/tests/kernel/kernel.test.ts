// The compiled kernel as loaded by a page, against the same kernel as called by Python.

import { describe, expect, test } from "vitest";
import { Choice, type Question } from "../../src/lib/kernel/choice";
import { SETTINGS, TOTALS } from "../../src/lib/kernel/entries";
import { Kernel } from "../../src/lib/kernel/kernel";
import { differences, hashed, read } from "./agreement";
import { compressed, missing, sample, wasm } from "./made.mjs";

const MISSING = missing();
if (MISSING) console.log(`The kernel in WebAssembly is not tested: ${MISSING}`);

describe.skipIf(MISSING !== "")("the kernel in WebAssembly", () => {
  if (MISSING) return;
  const module = new WebAssembly.Module(wasm());
  const { file, version } = sample();
  const cases = read(file, version);

  /** A search request at the start of a game. */
  function question(name: string, more: Partial<Question> = {}): Question {
    const found = cases.find((each) => each.name === name)!;
    const kernel = new Kernel(module);
    const [rules, fresh, state] = [kernel.place(found.rules), kernel.place(found.fresh), kernel.reserve(found.fresh.length)];
    kernel.entries.new(rules, fresh, state, 7);
    const worlds = kernel.bytes(state, found.fresh.length).slice();
    return { ...found, settings: found.searches[0]!.settings, worlds, wanted: new Int32Array(), seed: 7n, ...more };
  }

  function told(numbers: Partial<Record<keyof typeof SETTINGS, number>>): Float64Array {
    const settings = cases[0]!.searches[0]!.settings.slice();
    for (const [name, number] of Object.entries(numbers)) settings[SETTINGS[name as keyof typeof SETTINGS]] = number;
    return settings;
  }

  test("needs nothing of the page, and is small", () => {
    expect(WebAssembly.Module.imports(module)).toEqual([]);
    console.log(`genial.wasm: ${kilobytes(wasm().length)} KB, compressed ${kilobytes(compressed(wasm()))} KB`);
  });

  test("is made of the source beside it", () => {
    expect(new Kernel(module).version, "genial.wasm is older than its source; run: make kernel").toBe(version);
  });

  test("expectations of another version are refused", () => {
    expect(() => read(file, version + 1n)).toThrow("another version of the kernel");
  });

  test.each(cases)("plays $name as Python's kernel does, to the last bit", (each) => {
    expect(differences(module, [each])).toEqual([]);
  });

  test("memory grows with what is laid into it, and is used again", () => {
    const kernel = new Kernel(module);
    const first = kernel.place(Uint8Array.of(1, 2, 3));
    const large = kernel.reserve(5_000_000);
    expect(large).toBeGreaterThan(first);
    expect(kernel.bytes(large, 5_000_000).every((byte) => byte === 0)).toBe(true);
    expect([...kernel.bytes(first, 3)]).toEqual([1, 2, 3]);
    kernel.clear();
    expect(kernel.reserve(3)).toBe(first);
    expect([...kernel.bytes(first, 3)]).toEqual([0, 0, 0]);
  });

  test("a seed keeps all of its 64 bits", () => {
    const found = cases[0]!;
    const dealt = [7, 7n, 7n + (1n << 60n)].map((seed) => {
      const kernel = new Kernel(module);
      const [rules, fresh, state] = [kernel.place(found.rules), kernel.place(found.fresh), kernel.reserve(found.fresh.length)];
      kernel.entries.new(rules, fresh, state, seed);
      return hashed([kernel.bytes(state, found.fresh.length).slice()]);
    });
    expect(dealt[1]).toBe(dealt[0]);
    expect(dealt[2]).not.toBe(dealt[0]);
  });

  test("a choice finds the same however it is driven", async () => {
    const asked = question("classic-2");
    const [stepped, run] = [new Choice(new Kernel(module), asked), new Choice(new Kernel(module), asked)];
    while (stepped.step(1) > 0);
    await run.run();
    expect(run.rows()).toEqual(stepped.rows());
    expect(run.rows().length).toBe(TOTALS.WIDTH * run.candidates);
  });

  test("a deadline ends it early, with a best candidate", async () => {
    const choice = new Choice(new Kernel(module), question("classic-2", { settings: told({ NODES: 2 ** 40 }) }));
    await choice.run(performance.now() + 50);
    expect(choice.step(0)).toBe(0);
    expect(choice.rows()[TOTALS.NODES]).toBeGreaterThan(0);
  });

  test("a search can be stopped, and the kernel used again", async () => {
    const kernel = new Kernel(module);
    const stop = new AbortController();
    const endless = new Choice(kernel, question("classic-2", { settings: told({ NODES: 2 ** 40 }) }));
    setTimeout(() => stop.abort(new Error("enough")), 20);
    await expect(endless.run(Infinity, stop.signal)).rejects.toThrow("enough");
    const [again, fresh] = [kernel, new Kernel(module)].map((each) => new Choice(each, question("classic-2")));
    await again!.run();
    await fresh!.run();
    expect(again!.rows()).toEqual(fresh!.rows());
  });

  test("settings of another kernel are refused", () => {
    expect(() => new Choice(new Kernel(module), question("classic-2", { settings: new Float64Array(3) }))).toThrow("3 settings");
  });
});

function kilobytes(bytes: number): string {
  return (bytes / 1024).toFixed(0);
}
