// The line to a table: what is done when it is quiet, and when the browser says that there is no network.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ServerMessage } from "../src/lib/api";
import { Table } from "../src/lib/net/table.svelte";

/** The server's end of the sockets that were opened, the newest last. */
let sockets: FakeSocket[] = [];
let listeners: Map<string, () => void>;

class FakeSocket {
  static readonly OPEN = 1;
  readyState = 0;
  sent: string[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: () => void;

  constructor(readonly url: string) {
    sockets.push(this);
  }

  send(text: string): void {
    this.sent.push((JSON.parse(text) as { type: string }).type);
  }

  close(): void {
    this.readyState = 3;
  }

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
    this.say({ type: "state", state: { seq: 1 } } as ServerMessage);
  }

  say(message: ServerMessage | { type: "pong"; n: number }): void {
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
  expect(listeners.size).toBe(1); // of the document
});

test("what the first attempt waits for is not waited for without end", () => {
  const table = new Table("t");
  vi.advanceTimersByTime(8_000);
  expect(table.line).toBe("lost");
  vi.advanceTimersByTime(1_000);
  expect(sockets.length).toBe(2);
});
