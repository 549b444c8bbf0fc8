// Searches in the other worker, for Python: started, awaited and stopped by number.

import type { Question } from "../lib/kernel/choice";
import type { Asked, Found } from "./search.worker";

export class Searching {
  #last = 0;
  readonly #asked = new Map<number, { resolve: (rows: Float64Array) => void; reject: (why: Error) => void }>();

  constructor(private readonly port: MessagePort, module: WebAssembly.Module) {
    port.onmessage = ({ data }: MessageEvent<Found>) => {
      const waiting = this.#asked.get(data.id);
      this.#asked.delete(data.id);
      if ("rows" in data) waiting?.resolve(data.rows);
      else waiting?.reject(new Error(data.failed));
    };
    this.#say({ type: "kernel", module });
  }

  /** Start a search. Returns the number by which it is awaited and stopped. */
  begin(question: Question, seconds: number): number {
    this.#say({ type: "search", id: ++this.#last, question, seconds });
    return this.#last;
  }

  found(id: number): Promise<Float64Array> {
    return new Promise((resolve, reject) => this.#asked.set(id, { resolve, reject }));
  }

  stop(id: number): void {
    this.#say({ type: "stop", id });
  }

  #say(asked: Asked): void {
    this.port.postMessage(asked);
  }
}
