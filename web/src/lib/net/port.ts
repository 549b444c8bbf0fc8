// Tables in this browser: messages to the worker that runs them. Requests wait until the worker is ready, except for
// those that have the same answer for everybody: that was stored when the site was built.

import { type Ears, type Question, type Reply, type TableLine, type Transport, Unreachable } from "./transport";

/** Messages to the worker once it is ready. */
type Said =
  | { type: "call"; id: number; method: string; path: string; query: Record<string, string>; body: string | null; language: string }
  | { type: "drop"; id: number }
  | { type: "open"; id: number; path: string; query: Record<string, string> }
  | { type: "say"; id: number; text: string }
  | { type: "close"; id: number };

/** The state of the worker itself. */
export type News =
  | { type: "progress"; loaded: number; total: number }
  | { type: "ready" }
  | { type: "failed"; reason: string };

type Heard =
  | News
  | ({ type: "answer"; id: number } & Reply)
  | { type: "opened"; id: number }
  | { type: "told"; id: number; text: string }
  | { type: "closed"; id: number; code: number };

/** A worker, or one end of a channel. */
export interface Listener {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

/** Answers by request: "GET /api/variants". */
export type KeptAnswers = Record<string, unknown>;

interface Waiting {
  answered(reply: Reply): void;
  failed(): void;
}

interface Options {
  language: () => string;
  /** The answers stored when the site was built. */
  answers: Promise<KeptAnswers>;
  onNews: (news: News) => void;
}

export class Port implements Transport {
  readonly breaks = false;
  #worker: Listener | null = null;
  #isReady = false;
  #last = 0;
  /** Messages to send as soon as the worker is ready. */
  #line: Said[] = [];
  #asked = new Map<number, Waiting>();
  #open = new Map<number, Ears>();

  constructor(private readonly options: Options) {}

  /** Listen to a new worker instead of the previous one. */
  attach(worker: Listener): void {
    this.#worker = worker;
    this.#isReady = false;
    worker.addEventListener("message", (event) => {
      if (worker === this.#worker) this.#hear(event.data as Heard);
    });
  }

  /** Nobody will answer any more: fail everything that is waiting. */
  lose(): void {
    this.#worker = null;
    const [asked, open] = [[...this.#asked.values()], [...this.#open.values()]];
    this.#line = [];
    this.#asked.clear();
    this.#open.clear();
    for (const waiting of asked) waiting.failed();
    for (const ears of open) ears.closed();
  }

  address(): null {
    return null;
  }

  async ask({ method, path, query, body, signal }: Question): Promise<Reply> {
    const kept = await this.#kept({ method, path, query, body });
    if (kept !== undefined) return { status: 200, kind: "application/json", name: null, body: JSON.stringify(kept) };
    return new Promise((resolve, reject) => {
      if (!this.#worker || signal?.aborted) {
        reject(new Unreachable());
        return;
      }
      const id = this.#say({ type: "call", id: ++this.#last, method, path, query, body, language: this.options.language() });
      const dropped = (): void => {
        this.#asked.delete(id);
        if (!this.#unsaid(id)) this.#say({ type: "drop", id });
        reject(new Unreachable());
      };
      const over = (): void => signal?.removeEventListener("abort", dropped);
      signal?.addEventListener("abort", dropped, { once: true });
      this.#asked.set(id, {
        answered: (reply) => {
          over();
          resolve(reply);
        },
        failed: () => {
          over();
          reject(new Unreachable());
        },
      });
    });
  }

  open(path: string, query: Record<string, string>, ears: Ears): TableLine {
    if (!this.#worker) queueMicrotask(() => ears.closed());
    const id = this.#say({ type: "open", id: ++this.#last, path, query });
    this.#open.set(id, ears);
    return {
      send: (text) => void (this.#open.has(id) && this.#say({ type: "say", id, text })),
      close: () => {
        if (this.#open.delete(id) && !this.#unsaid(id)) this.#say({ type: "close", id });
      },
    };
  }

  async #kept({ method, path, query, body }: Question): Promise<unknown> {
    if (Object.keys(query).length || (body !== null && body !== "{}")) return undefined;
    const answers = await this.options.answers;
    return answers[`${method} ${path}`];
  }

  #say(said: Said): number {
    if (this.#isReady) this.#worker?.postMessage(said);
    else if (this.#worker) this.#line.push(said);
    return said.id;
  }

  /** Remove a message that has not been sent yet. Returns whether there was one. */
  #unsaid(id: number): boolean {
    const before = this.#line.length;
    this.#line = this.#line.filter((said) => said.id !== id);
    return this.#line.length < before;
  }

  #hear(heard: Heard): void {
    switch (heard.type) {
      case "answer": {
        const { id, status, kind, name, body } = heard;
        const waiting = this.#asked.get(id);
        this.#asked.delete(id);
        waiting?.answered({ status, kind, name, body });
        break;
      }
      case "opened":
        this.#open.get(heard.id)?.opened();
        break;
      case "told":
        this.#open.get(heard.id)?.told(heard.text);
        break;
      case "closed": {
        const ears = this.#open.get(heard.id);
        this.#open.delete(heard.id);
        ears?.closed();
        break;
      }
      case "ready":
        this.#isReady = true;
        for (const said of this.#line.splice(0)) this.#worker?.postMessage(said);
        this.options.onNews(heard);
        break;
      case "failed":
        this.lose();
        this.options.onNews(heard);
        break;
      case "progress":
        this.options.onNews(heard);
    }
  }
}
