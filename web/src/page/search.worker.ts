// Does a page's thinking: the compiled kernel and nothing else. Python, in the rules worker, decides what to search and
// interprets the result. Messages are let in every 10 ms, so that a search can be stopped without shared memory.

import { Choice, type Question } from "../lib/kernel/choice";
import { Kernel } from "../lib/kernel/kernel";

/** Messages from the rules worker. One search runs at a time, in the order of the requests. */
export type Asked =
  | { type: "kernel"; module: WebAssembly.Module }
  | { type: "search"; id: number; question: Question; seconds: number }
  | { type: "stop"; id: number };

/** The replies: rows of `TOTALS`, or why there are none. */
export type Found = { id: number; rows: Float64Array<ArrayBuffer> } | { id: number; failed: string };

let kernel: Kernel | null = null;
let line: Promise<void> = Promise.resolve();
const under_way = new Map<number, AbortController>();

self.addEventListener("message", ({ ports: [port] }) => {
  port!.onmessage = ({ data }: MessageEvent<Asked>) => hear(data, (found) => port!.postMessage(found));
});

function hear(asked: Asked, tell: (found: Found) => void): void {
  if (asked.type === "kernel") kernel = new Kernel(asked.module);
  else if (asked.type === "stop") under_way.get(asked.id)?.abort();
  else {
    const { id, question, seconds } = asked;
    const stop = new AbortController();
    under_way.set(id, stop);
    line = line
      .then(() => searched(question, seconds, stop.signal))
      .then((rows) => tell({ id, rows }))
      .catch((error: unknown) => tell({ id, failed: String(error) }))
      .finally(() => under_way.delete(id));
  }
}

async function searched(question: Question, seconds: number, signal: AbortSignal): Promise<Float64Array<ArrayBuffer>> {
  signal.throwIfAborted();
  const choice = new Choice(kernel!, question);
  await choice.run(performance.now() + 1000 * seconds, signal);
  return choice.rows();
}
