// The line to a table: what is sent over it, and what happens when it is silent or the browser reports no network.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CONVERSATION, type ErrorData, type ServerMessage, type TableView } from "../src/lib/api";
import { Refusal, Unreachable } from "../src/lib/net/http";
import { Table } from "../src/lib/net/table.svelte";

/** The server's end of the opened sockets, newest last. */
let sockets: FakeSocket[] = [];
let listeners: Map<string, () => void>;

interface Sent {
  type: string;
  move_id?: string;
}

const table = (seq: number) => ({ seq, chat: [], game: { seq, mover: 0, told: 0, view: { events: [] } } }) as unknown as TableView;

class FakeSocket {
  static readonly OPEN = 1;
  readyState = 0;
  said: Sent[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: () => void;

  constructor(
    readonly url: string,
    readonly offered: string,
  ) {
    sockets.push(this);
  }

  send(text: string): void {
    this.said.push(JSON.parse(text) as Sent);
  }

  get sent(): string[] {
    return this.said.map(({ type }) => type);
  }

  get deed(): string {
    return this.said.findLast(({ move_id }) => move_id)?.move_id ?? "";
  }

  close(): void {
    this.readyState = 3;
  }

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
    this.say({ type: "update", entries: [], state: table(1) });
  }

  say(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const newest = (): FakeSocket => sockets.at(-1) as FakeSocket;
const happens = (event: string): void => listeners.get(event)?.();

function seated(): Table {
  const table = new Table("t");
  newest().open();
  expect(table.line).toBe("open");
  return table;
}

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  listeners = new Map();
  const hear = (event: string, listener: () => void): unknown => listeners.set(event, listener);
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("addEventListener", hear);
  vi.stubGlobal("removeEventListener", (event: string) => listeners.delete(event));
  vi.stubGlobal("document", { visibilityState: "visible", addEventListener: hear, removeEventListener: () => undefined });
  vi.stubGlobal("location", { protocol: "http:", host: "genial.example" });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a socket offers the conversation that is spoken here, and a page that the server does not know any more is told", async () => {
  const asked = vi.fn((_url: string, _init: RequestInit) => {
    const error: ErrorData = { code: "page-outdated", params: {}, ruling: null, text: "Reload" };
    return Promise.resolve(new Response(JSON.stringify({ error }), { status: 409 }));
  });
  vi.stubGlobal("fetch", asked);
  const table = new Table("t");
  expect(newest().offered).toBe(CONVERSATION);
  newest().onclose?.();
  await vi.waitFor(() => expect(table.line).toBe("refused"));
  expect(table.refusal?.code).toBe("page-outdated");
  expect(asked.mock.calls[0]?.[1].headers).toEqual({ accept: `application/json; profile=${CONVERSATION}` });
});

test("without a network the line is lost at once, and back as soon as there is one", () => {
  const table = seated();
  happens("offline");
  expect(newest().sent.at(-1)).toBe("ping");
  vi.advanceTimersByTime(2_000);
  expect(table.line).toBe("lost");
  const before = sockets.length;
  happens("online");
  expect(sockets.length).toBe(before + 1);
  newest().open();
  expect(table.line).toBe("open");
});

test("a server that answers all the same is still there: on this very machine, say", () => {
  const table = seated();
  happens("offline");
  newest().say({ type: "pong", n: 0 });
  vi.advanceTimersByTime(10_000);
  expect(table.line).toBe("open");
  expect(sockets.length).toBe(1);
});

test("silence is asked about before it counts as a loss", () => {
  const table = seated();
  vi.advanceTimersByTime(15_000);
  expect([table.line, newest().sent.at(-1)]).toEqual(["open", "ping"]);
  vi.advanceTimersByTime(8_000);
  expect(table.line).toBe("lost");
});

test("an attempt that hangs is given up, and one that hurries leaves no second line behind", () => {
  const table = seated();
  happens("offline");
  vi.advanceTimersByTime(2_000 + 500); // and tries again
  expect(sockets.length).toBe(2);
  const hanging = newest();
  happens("online");
  expect(hanging.readyState).toBe(3);
  newest().open();
  hanging.open(); // too late
  expect([table.line, sockets.length]).toEqual(["open", 3]);
  vi.advanceTimersByTime(14_000);
  expect(sockets.length).toBe(3);
  table.leave();
  expect(listeners.size).toBe(1); // the document's
});

test("what the first attempt waits for is not waited for without end", () => {
  const table = new Table("t");
  vi.advanceTimersByTime(8_000);
  expect(table.line).toBe("lost");
  vi.advanceTimersByTime(1_000);
  expect(sockets.length).toBe(2);
});

test("nothing is asked for when the line opens: the table comes by itself, from where one was", () => {
  const followed = seated();
  newest().say({ type: "update", entries: [], state: table(7) });
  expect(newest().sent).toEqual([]);
  happens("offline");
  vi.advanceTimersByTime(2_000);
  happens("online");
  expect(newest().url).toContain("after=7");
  newest().open();
  expect([newest().sent, followed.view?.seq]).toEqual([[], 7]);
});

test("a deed is one message, and done when what came of it shows", () => {
  const followed = seated();
  expect(followed.act("RB@a1,a2")).toBe(true);
  expect(newest().sent).toEqual(["act"]);
  newest().say({ type: "update", entries: [], state: table(2) }); // somebody else's
  expect(followed.underWay.busy).toBe(true);
  newest().say({ type: "update", entries: [], state: table(3), done: newest().deed });
  expect([followed.underWay.busy, followed.view?.seq, followed.underWay.failure]).toEqual([false, 3, null]);
});

test("a deed that brought nothing new is done by its ack, a refused one says why", () => {
  const followed = seated();
  followed.chat({ text: "hello" });
  newest().say({ type: "ack", move_id: newest().deed, seq: null });
  expect(followed.underWay.busy).toBe(false);
  followed.act("refill");
  const error = { code: "stale", params: {}, ruling: null, text: "The game has moved on." } satisfies ErrorData;
  newest().say({ type: "error", move_id: newest().deed, error });
  expect(followed.underWay.busy).toBe(false);
  expect((followed.underWay.failure as Refusal).data).toEqual(error);
});

test("of what happens while the line is lost nobody knows whether it was done", () => {
  const followed = seated();
  followed.act("refill");
  newest().onclose?.();
  expect([followed.line, followed.underWay.busy]).toEqual(["lost", false]);
  expect(followed.underWay.failure).toBeInstanceOf(Unreachable);
  expect(followed.act("refill")).toBe(true); // tried, and refused at once
  expect([newest().sent, followed.underWay.busy]).toEqual([["act"], false]);
});

const late = (seq: number): ServerMessage => ({
  type: "update",
  entries: [{ seq, time: 0, kind: "chatted", data: { text: "late" } }],
  state: null,
});

test("a gap is asked about once, and again later where the server would not hear of it", () => {
  seated();
  newest().say(late(3));
  newest().say(late(4));
  expect(newest().sent).toEqual(["resync"]);
  newest().say({ type: "error", move_id: null, error: { code: "too-many", params: {}, ruling: null, text: "" } });
  vi.advanceTimersByTime(1_000);
  expect(newest().sent).toEqual(["resync", "resync"]);
  newest().say({ type: "update", entries: [], state: table(4) });
  newest().say(late(5));
  expect(newest().sent).toHaveLength(2);
});

test("to look from another place is one message, said again where the server would not hear of it", () => {
  const followed = seated();
  followed.lookFrom(1);
  newest().say({ type: "error", move_id: null, error: { code: "too-many", params: {}, ruling: null, text: "" } });
  vi.advanceTimersByTime(1_000);
  expect(newest().sent).toEqual(["watch-place", "watch-place"]);
});

test("who spoke knows the own mark; what is told later is kept here until the game is over", () => {
  const line = new Table("t");
  newest().open();
  line.chat({ text: "hello" });
  const spoken = { seq: 2, time: 0, kind: "chatted", data: { mark: "0123456789", text: "hello" } };
  newest().say({ type: "update", entries: [spoken], state: null, done: newest().deed });
  expect([line.mark, line.held]).toEqual(["0123456789", []]);

  const silent = { ...table(3), talk_later: true };
  newest().say({ type: "update", entries: [], state: silent });
  line.chat({ text: "take red" });
  const kept = { seq: 4, time: 0, kind: "chatted", data: { hidden: true } };
  newest().say({ type: "update", entries: [kept], state: null, done: newest().deed });
  expect(line.held).toEqual([{ text: "take red" }]);
  newest().say({ type: "update", entries: [], state: { ...table(5), talk_later: false } });
  expect(line.held).toEqual([]);
  line.leave();
});
