// Tables in this browser, through a real channel: requests, refusals, drops and losses mean the same as with a server.

import { afterEach, beforeEach, expect, test } from "vitest";
import { Refusal, Unreachable, call, file, goBy } from "../src/lib/net/http";
import { type KeptAnswers, type News, Port } from "../src/lib/net/port";
import { Server } from "../src/lib/net/server";

interface Said {
  type: string;
  id: number;
  [more: string]: unknown;
}

/** The worker's end: the messages it received, and a way to wait for the next. */
class Worker {
  readonly said: Said[] = [];
  #waiting: (() => void) | null = null;

  constructor(readonly port: MessagePort) {
    port.onmessage = ({ data }) => {
      this.said.push(data as Said);
      this.#waiting?.();
    };
  }

  async next(type: string): Promise<Said> {
    for (;;) {
      const found = this.said.findIndex((said) => said.type === type);
      if (found >= 0) return this.said.splice(found, 1)[0] as Said;
      await new Promise<void>((resolve) => (this.#waiting = resolve));
    }
  }

  say(message: Record<string, unknown>): void {
    this.port.postMessage(message);
  }

  answer({ id }: Said, body: unknown, status = 200): void {
    this.say({ type: "answer", id, status, kind: "application/json", name: null, body: JSON.stringify(body) });
  }
}

let channel: MessageChannel;
let worker: Worker;
let port: Port;
let news: News[];

function begin(answers: KeptAnswers = {}): void {
  port = new Port({ language: () => "nl", answers: Promise.resolve(answers), onNews: (each) => news.push(each) });
  port.attach(channel.port1);
  channel.port1.start();
  goBy(port);
}

/** Resolves once everything sent before has arrived. */
async function heard(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const arrived = new Promise((resolve) => (port2.onmessage = resolve));
  port1.postMessage(0);
  await arrived;
  port1.close();
}

beforeEach(() => {
  channel = new MessageChannel();
  worker = new Worker(channel.port2);
  news = [];
  begin();
});

afterEach(() => {
  channel.port1.close();
  goBy(new Server("/"));
});

test("a call is one message, and its answer what a server would send", async () => {
  worker.say({ type: "ready" });
  const answer = call("GET /api/tables/{table}/hint", { path: { table: "a/b" }, query: { place: 0, watch: null } });
  const said = await worker.next("call");
  expect(said).toMatchObject({ method: "GET", path: "/api/tables/a%2Fb/hint", query: { place: "0" }, body: null, language: "nl" });
  worker.answer(said, { move: "RB@a1,a2" });
  expect(await answer).toEqual({ move: "RB@a1,a2" });
  const post = call("POST /api/join", { body: { code: "QXZRT" } });
  const asked = await worker.next("call");
  expect(asked).toMatchObject({ method: "POST", body: '{"code":"QXZRT"}' });
  worker.answer(asked, { error: { code: "code-unknown", params: {}, ruling: null, text: "No." } }, 404);
  const refusal = await post.catch((error: unknown) => error);
  expect([refusal instanceof Refusal, (refusal as Refusal).status]).toEqual([true, 404]);
});

test("what is asked before the engine is ready waits in line, in its order", async () => {
  const first = call("GET /api/me/games");
  const second = call("GET /api/tables");
  await heard();
  expect(worker.said).toEqual([]);
  worker.say({ type: "progress", loaded: 1, total: 3 });
  worker.say({ type: "ready" });
  const asked = [await worker.next("call"), await worker.next("call")];
  expect(asked.map(({ path }) => path)).toEqual(["/api/me/games", "/api/tables"]);
  asked.forEach((said) => worker.answer(said, said["path"]));
  expect(await Promise.all([first, second])).toEqual(["/api/me/games", "/api/tables"]);
  expect(news.map(({ type }) => type)).toEqual(["progress", "ready"]);
});

test("what is the same for everybody is answered without the engine", async () => {
  begin({ "GET /api/variants": { colours: "ROYGBP", variants: [] }, "POST /api/hello": { version: "1" } });
  expect(await call("GET /api/variants")).toEqual({ colours: "ROYGBP", variants: [] });
  expect(await call("POST /api/hello")).toEqual({ version: "1" });
  await heard();
  expect(worker.said).toEqual([]);
});

test("what is asked no longer is dropped, in line or under way", async () => {
  const [early, late] = [new AbortController(), new AbortController()];
  const first = call("GET /api/me/games", { signal: early.signal }).catch((error: unknown) => error);
  await heard();
  early.abort();
  expect(await first).toBeInstanceOf(Unreachable);
  worker.say({ type: "ready" });
  const second = call("GET /api/tables", { signal: late.signal }).catch((error: unknown) => error);
  const said = await worker.next("call");
  expect(said["path"]).toBe("/api/tables"); // the first never arrived
  late.abort();
  expect(await second).toBeInstanceOf(Unreachable);
  expect(await worker.next("drop")).toMatchObject({ id: said.id });
  worker.answer(said, "too late");
});

test("without an engine nothing waits for ever", async () => {
  const waiting = call("GET /api/me/games").catch((error: unknown) => error);
  await heard();
  worker.say({ type: "failed", reason: "no memory" });
  expect(await waiting).toBeInstanceOf(Unreachable);
  await expect(call("GET /api/me/games")).rejects.toBeInstanceOf(Unreachable);
  expect(news).toEqual([{ type: "failed", reason: "no memory" }]);
});

test("a record is a file with the name that it was given", async () => {
  worker.say({ type: "ready" });
  const made = file("GET /api/tables/{table}/games/{game}/record", { path: { table: "t", game: 0 } });
  const { id } = await worker.next("call");
  worker.say({ type: "answer", id, status: 200, kind: "application/json", name: "classic.genial.json", body: new TextEncoder().encode("{}") });
  const found = await made;
  expect([found.name, found.type, await found.text()]).toEqual(["classic.genial.json", "application/json", "{}"]);
});

/** A table's line, and what was heard on it. */
function line(): { line: ReturnType<Port["open"]>; heard: string[] } {
  const told: string[] = [];
  const ears = { opened: () => told.push("opened"), told: (text: string) => told.push(text), closed: () => told.push("closed") };
  return { line: port.open("/api/tables/t/socket", { after: "3" }, ears), heard: told };
}

test("a table's line: opened, told and closed in order; what is closed from here is silent", async () => {
  worker.say({ type: "ready" });
  const first = line();
  const { id, ...said } = await worker.next("open");
  expect(said).toEqual({ type: "open", path: "/api/tables/t/socket", query: { after: "3" } });
  worker.say({ type: "opened", id });
  worker.say({ type: "told", id, text: "one" });
  first.line.send("two");
  expect(await worker.next("say")).toEqual({ type: "say", id, text: "two" });
  worker.say({ type: "closed", id, code: 1001 });
  await heard();
  expect(first.heard).toEqual(["opened", "one", "closed"]);
  const second = line();
  const other = await worker.next("open");
  second.line.close();
  expect(await worker.next("close")).toEqual({ type: "close", id: other.id });
  worker.say({ type: "closed", id: other.id, code: 1000 });
  await heard();
  expect(second.heard).toEqual([]);
});

test("an engine that is lost closes its lines, and another one begins anew", async () => {
  worker.say({ type: "ready" });
  const first = line();
  await worker.next("open");
  port.lose();
  expect(first.heard).toEqual(["closed"]);
  channel = new MessageChannel();
  worker = new Worker(channel.port2);
  port.attach(channel.port1);
  channel.port1.start();
  const again = line();
  worker.say({ type: "ready" });
  worker.say({ type: "opened", id: (await worker.next("open")).id });
  await heard();
  expect(again.heard).toEqual(["opened"]);
});
