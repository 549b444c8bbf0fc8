// A table, followed over its socket. The state of the connection is visible to the screen, and nothing is queued for a
// better moment: what cannot be sent now is refused now.

import type {
  Act,
  Answer,
  Ask,
  Back,
  Chat,
  Choose,
  ClientMessage,
  EntryView,
  ErrorData,
  ServerMessage,
  TableView,
} from "../api";
import { type Followed, NOTHING, inLine, patience, reopened, take } from "./follow";
import { Refusal, Unreachable, call, lineTo, pathOf } from "./http";
import type { TableLine } from "./transport";
import { UnderWay } from "./underway.svelte";

export type Line = "connecting" | "open" | "lost" | "refused" | "left";

type Deed = Act | Back | Ask | Answer | Choose | Chat;
type Undone<T> = T extends Deed ? Omit<T, "move_id"> : never;

const QUIET = 15_000; // after this much silence we ping the server
const DEAF = 8_000; // and without an answer for this long the connection counts as lost
const DOUBT = 2_000; // or for this long if the browser reports that there is no network
const SLOWER = 1_000; // before requesting the table again after the server refused to send it so soon

/** A chat message: free text, or a phrase by its name. */
export interface Words {
  text?: string;
  phrase?: string;
}

export interface From {
  watch?: string | null;
  place?: number | null;
}

export class Table {
  line = $state<Line>("connecting");
  /** Why the server refuses to let us in. */
  refusal = $state<ErrorData | null>(null);
  /** What was sent from here and has not been answered yet. */
  readonly underWay = new UnderWay();
  /** Stands for this device at the table, known once it has said something there. */
  mark = $state<string | null>(null);
  /** Messages from here that are shown to everybody when the game is over. */
  held = $state.raw<readonly Words[]>([]);
  #words: Words = {};
  #followed = $state.raw<Followed>(NOTHING);
  #place = $state<number | null>(null);
  #watch: string | null;
  #socket: TableLine | null = null;
  /** Whether the line can fail silently, so that silence must be probed. */
  #breaks = true;
  /** The id of the last action sent on this line. */
  #sent = "";
  /** The last request that is answered with the whole table. */
  #question: ClientMessage = { type: "resync" };
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

  get present(): readonly number[] {
    return this.#followed.present;
  }

  get watching(): number {
    return this.#followed.watching;
  }

  /** The queue position of the bot that is to move; 0 if it need not wait. */
  get inLine(): number {
    return inLine(this.#followed);
  }

  /** Make a move, unless something is under way. Returns whether it was sent; the result arrives with the table. */
  act(action: string): boolean {
    const game = this.view?.game;
    return Boolean(game && game.mover !== null && this.#do({ type: "act", seq: game.seq, place: game.mover, action }));
  }

  /** Take back the last placement of this turn. */
  back(): boolean {
    const game = this.view?.game;
    return Boolean(game && game.mover !== null && this.#do({ type: "back", seq: game.seq, place: game.mover }));
  }

  chat(said: Words & { name?: string }): boolean {
    this.#words = said;
    return this.#do({ type: "chat", ...said });
  }

  /** Ask the others to take the game back to where it was after an entry. */
  ask(place: number, to: number): boolean {
    return this.#do({ type: "ask", place, to });
  }

  answer(place: number, yes: boolean): boolean {
    return this.#do({ type: "answer", place, yes });
  }

  /** Choose what happens to a game that is waiting for somebody who is away. */
  choose(place: number, absent: number, choice: Choose["choice"]): boolean {
    return this.#do({ type: "choose", place, absent, choice });
  }

  /** Pass-and-play: look from another of the viewer's places; null draws the curtain. */
  lookFrom(place: number | null): void {
    this.#place = place;
    this.#ask({ type: "watch-place", place });
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

  #do(deed: Undone<Deed>): boolean {
    return this.underWay.begin((id) => {
      if (this.line !== "open") throw new Unreachable();
      this.#sent = id;
      this.#send({ ...deed, move_id: id } as Deed);
    });
  }

  /** Request the whole table. */
  #ask(question: ClientMessage): void {
    this.#question = question;
    this.#followed = { ...this.#followed, asked: true };
    this.#send(question);
  }

  #send(message: ClientMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#again);
    let opened = false;
    const query = { after: this.view?.seq, place: this.#place, watch: this.#watch, language: this.language() };
    const { line, breaks } = lineTo(pathOf("/api/tables/{table}/socket", { table: this.id }), query, {
      opened: () => {
        opened = true;
        this.#attempt = 0;
        this.#followed = reopened(this.#followed);
        this.#listen();
      },
      told: (text) => {
        this.#listen();
        this.#take(JSON.parse(text) as ServerMessage);
      },
      closed: () => void this.#lost(opened),
    });
    this.#socket = line;
    this.#breaks = breaks;
    if (breaks) this.#alive = setTimeout(() => void this.#lost(true), DEAF); // browsers keep trying much longer
  }

  #take(message: ServerMessage): void {
    if (message.type === "ack") this.underWay.done(message.move_id);
    else if (message.type === "error") this.#refused(message.move_id, message.error);
    else {
      const wasAsked = this.#followed.asked;
      this.#followed = take(this.#followed, message);
      if (this.#followed.asked && !wasAsked) this.#ask({ type: "resync" });
      if (message.type !== "update") return;
      if (message.state) this.line = "open";
      if (message.done) {
        this.#spoke(message.entries[0]);
        this.underWay.done(message.done); // the table shows it by now
      }
      if (this.held.length && !this.view?.talk_later) this.held = []; // everybody can read it now
    }
  }

  /** Handle our own chat message once stored: it tells us our mark, or that it is held back until later. */
  #spoke(entry: EntryView | undefined): void {
    if (entry?.kind !== "chatted") return;
    if (entry.data.hidden) this.held = [...this.held, this.#words];
    else this.mark = entry.data.mark ?? null;
  }

  #refused(id: string | null, error: ErrorData): void {
    if (id !== null) this.underWay.failed(id, new Refusal(error));
    else if (this.#followed.asked) {
      // Too many messages: the server dropped the request, so repeat it later.
      clearTimeout(this.#later);
      this.#later = setTimeout(() => this.#ask(this.#question), SLOWER);
    }
  }

  async #lost(opened: boolean): Promise<void> {
    this.#drop();
    if (this.line === "left" || this.line === "refused") return;
    if (!opened) {
      // Browsers do not say why a socket was refused; the same request over HTTP does.
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
    // Meanwhile the table was left, or a new attempt has begun.
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
    // Nobody knows whether it was done; the next connection will show it.
    this.underWay.failed(this.#sent, new Unreachable());
  }

  /** The server is there; ping it after a period of silence. */
  #listen(): void {
    clearTimeout(this.#alive);
    if (this.#breaks) this.#alive = setTimeout(() => this.#doubt(DEAF), QUIET);
  }

  /** Ping the server; without an answer the connection is lost. */
  #doubt(patience: number): void {
    clearTimeout(this.#alive);
    this.#send({ type: "ping", n: 0 });
    this.#alive = setTimeout(() => void this.#lost(true), patience);
  }

  /** The browser notices before the socket does, but a server on this very machine may still be reachable. */
  #offline = (): void => {
    if (this.line === "open" && this.#breaks) this.#doubt(DOUBT);
  };

  #hurry = (): void => {
    if (this.line !== "lost" || document.visibilityState !== "visible") return;
    this.#drop(); // an earlier attempt may be hanging
    this.#attempt = 0;
    void this.#connect();
  };
}
