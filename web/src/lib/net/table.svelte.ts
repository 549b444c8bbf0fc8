// One table, followed over its socket. The connection's state is open to the screen; nothing waits silently for a
// better one: what cannot be sent now is refused now.

import type { Act, Answer, Ask, Back, Chat, ClientMessage, ErrorData, ServerMessage, TableView } from "../api";
import { type Followed, NOTHING, patience, reopened, take } from "./follow";
import { Refusal, Unreachable, address, call, randomHex } from "./http";

export type Line = "connecting" | "open" | "lost" | "refused" | "left";

type Deed = Act | Back | Ask | Answer | Chat;
type Undone<T> = T extends Deed ? Omit<T, "move_id"> : never;

interface Waiting {
  /** Stored; it counts as done when the state after it is here. */
  stored: boolean;
  done: () => void;
  refused: (error: Error) => void;
}

const QUIET = 15_000; // after so much silence we ask whether anybody is there
const DEAF = 8_000; // and after so much more we believe that nobody is
const DOUBT = 2_000; // or after so much, where the browser itself says that there is no network
const SLOWER = 1_000; // before a state is asked for again that the server would not send so soon

export interface From {
  watch?: string | null;
  place?: number | null;
}

export class Table {
  line = $state<Line>("connecting");
  /** Why the server will not let us in. */
  refusal = $state<ErrorData | null>(null);
  #followed = $state.raw<Followed>(NOTHING);
  #place = $state<number | null>(null);
  #watch: string | null;
  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #attempt = 0;
  #again: ReturnType<typeof setTimeout> | undefined;
  #alive: ReturnType<typeof setTimeout> | undefined;
  #later: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly id: string,
    from: From = {},
    private readonly language: () => string = () => "en",
  ) {
    this.#watch = from.watch ?? null;
    this.#place = from.place ?? null;
    addEventListener("offline", this.#offline);
    addEventListener("online", this.#hurry);
    addEventListener("pageshow", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
    void this.#connect();
  }

  get view(): TableView | null {
    return this.#followed.view;
  }

  get entries(): Followed["entries"] {
    return this.#followed.entries;
  }

  get present(): readonly number[] {
    return this.#followed.present;
  }

  get watching(): number {
    return this.#followed.watching;
  }

  /** Do something; it is done, and shows, when this resolves. */
  async act(action: string, then: "refill" | "swap" | null = null): Promise<void> {
    const game = this.view?.game;
    if (!game || game.mover === null) return;
    await this.#do({ type: "act", seq: game.seq, place: game.mover, action, then });
  }

  /** Take back the last placement of this turn. */
  async back(): Promise<void> {
    const game = this.view?.game;
    if (!game || game.mover === null) return;
    await this.#do({ type: "back", seq: game.seq, place: game.mover });
  }

  async chat(said: { text?: string; phrase?: string; name?: string }): Promise<void> {
    await this.#do({ type: "chat", ...said });
  }

  /** Ask the others to let the game return to where it stood after an entry. */
  async ask(place: number, to: number): Promise<void> {
    await this.#do({ type: "ask", place, to });
  }

  async answer(place: number, yes: boolean): Promise<void> {
    await this.#do({ type: "answer", place, yes });
  }

  /** Pass-and-play: look from another of one's own places; null draws the curtain. */
  lookFrom(place: number | null): void {
    this.#place = place;
    this.#followed = { ...this.#followed, asked: true };
    this.#send({ type: "watch-place", place });
  }

  leave(): void {
    this.line = "left";
    removeEventListener("offline", this.#offline);
    removeEventListener("online", this.#hurry);
    removeEventListener("pageshow", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    clearTimeout(this.#again);
    this.#drop();
  }

  #do(deed: Undone<Deed>): Promise<void> {
    if (this.line !== "open") return Promise.reject(new Unreachable());
    const message = { ...deed, move_id: randomHex(24) } as Deed;
    return new Promise((done, refused) => {
      this.#waiting.set(message.move_id, { stored: false, done, refused });
      this.#send(message);
      // In the same breath, so that what follows from the deed is there after one way to the server and back.
      this.#ask();
    });
  }

  #ask(): void {
    this.#followed = { ...this.#followed, asked: true };
    this.#send({ type: "resync" });
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#again);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const path = address(
      "/api/tables/{table}/socket",
      { table: this.id },
      { after: this.#followed.seq, place: this.#place, watch: this.#watch, language: this.language() },
    );
    const socket = new WebSocket(`${scheme}//${location.host}${path}`);
    this.#socket = socket;
    this.#alive = setTimeout(() => void this.#lost(true), DEAF); // browsers try much longer
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.#attempt = 0;
      // Missed entries come first; then the state is asked for, whatever they were.
      this.#followed = reopened(this.#followed);
      this.#send({ type: "resync" });
      this.#listen();
    };
    socket.onmessage = (event) => {
      if (socket !== this.#socket) return; // said before it was dropped
      this.#listen();
      this.#take(JSON.parse(String(event.data)) as ServerMessage);
    };
    socket.onclose = () => {
      if (socket === this.#socket) void this.#lost(opened);
    };
  }

  #take(message: ServerMessage): void {
    if (message.type === "ack") {
      const waiting = this.#waiting.get(message.move_id);
      if (waiting) waiting.stored = true;
    } else if (message.type === "error") {
      this.#refused(message.move_id, message.error);
    } else {
      const { next, resync } = take(this.#followed, message);
      this.#followed = next;
      if (resync) this.#send({ type: "resync" });
      if (message.type === "state") {
        this.line = "open";
        this.#settle();
      }
    }
  }

  /** What is stored shows by now. */
  #settle(): void {
    for (const [id, waiting] of this.#waiting) {
      if (!waiting.stored) continue;
      this.#waiting.delete(id);
      waiting.done();
    }
  }

  #refused(id: string | null, error: ErrorData): void {
    if (id !== null) {
      this.#waiting.get(id)?.refused(new Refusal(error));
      this.#waiting.delete(id);
    } else {
      // Too many messages: the state that was asked for does not come. Later it will.
      this.#settle();
      clearTimeout(this.#later);
      this.#later = setTimeout(() => this.#ask(), SLOWER);
    }
  }

  async #lost(opened: boolean): Promise<void> {
    this.#drop();
    if (this.line === "left" || this.line === "refused") return;
    if (!opened) {
      // A browser does not tell why a socket was refused; the same question over HTTP does.
      try {
        await call("GET /api/tables/{table}", { path: { table: this.id }, query: { watch: this.#watch } });
      } catch (error) {
        if (error instanceof Refusal && error.status < 500 && error.status !== 429) {
          this.refusal = error.data;
          this.line = "refused";
          return;
        }
      }
    }
    // Meanwhile somebody left, or hurried.
    if (this.line === ("left" as Line) || this.#socket !== null) return;
    this.line = "lost";
    this.#again = setTimeout(() => void this.#connect(), patience(this.#attempt, Math.random()));
    this.#attempt += 1;
  }

  #drop(): void {
    clearTimeout(this.#alive);
    clearTimeout(this.#later);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    // Whether these were done nobody knows; the state after the next connection tells.
    for (const waiting of this.#waiting.values()) waiting.refused(new Unreachable());
    this.#waiting.clear();
  }

  /** Somebody is there; ask again after a while of silence. */
  #listen(): void {
    clearTimeout(this.#alive);
    this.#alive = setTimeout(() => this.#doubt(DEAF), QUIET);
  }

  /** Ask whether anybody is there; without an answer the connection is lost. */
  #doubt(patience: number): void {
    clearTimeout(this.#alive);
    this.#send({ type: "ping", n: 0 });
    this.#alive = setTimeout(() => void this.#lost(true), patience);
  }

  /** The browser knows before the socket does; but a server on this very machine, say, is still there. */
  #offline = (): void => {
    if (this.line === "open") this.#doubt(DOUBT);
  };

  #hurry = (): void => {
    if (this.line !== "lost" || document.visibilityState !== "visible") return;
    this.#drop(); // an attempt from before may hang
    this.#attempt = 0;
    void this.#connect();
  };
}
