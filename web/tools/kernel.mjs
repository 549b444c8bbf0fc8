// The kernel's checks in Node, for tools/kernel/web.py: `node kernel.mjs MODULES WASM EXPECTATIONS`. Each line of
// standard input is a question in JSON, and is answered by one line.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [modules, wasm, expectations] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${modules}/${name}.js`).href);
const [agreement, speed] = [await load("agreement"), await load("speed")];
const module = new WebAssembly.Module(readFileSync(wasm));
const [kernel, searching] = [new agreement.Kernel(module), new agreement.Kernel(module)];
const cases = agreement.read(new Uint8Array(readFileSync(expectations)).buffer, kernel.version);

const ask = {
  differences: () => agreement.differences(module, cases),
  /** Processor time in seconds, and the result of the work. */
  timed([number, kind, amount]) {
    const begun = process.cpuUsage();
    const each = cases[number];
    const found = kind === "search" ? speed.search(kernel, searching, each, amount) : speed.play(kernel, each, kind, amount);
    const { user, system } = process.cpuUsage(begun);
    return [(user + system) / 1e6, found];
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [what, ...parameters] = JSON.parse(line);
  console.log(JSON.stringify(ask[what](parameters)));
}
