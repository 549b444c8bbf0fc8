import { describe, expect, test } from "vitest";
import type { EntryMessage, NowView, ServerMessage, TableView } from "../src/lib/api";
import { type Followed, NOTHING, patience, reopened, take } from "../src/lib/net/follow";

const now = { status: "running" } as NowView;
const entry = (seq: number, last = true): EntryMessage => ({
  type: "entry",
  entry: { seq, time: 0, kind: "acted", data: {} },
  now: last ? now : null,
});
const state = (seq: number): ServerMessage => ({ type: "state", state: { seq } as TableView });

/** All messages taken, and how often the state was asked for. */
function follow(messages: ServerMessage[], from: Followed = NOTHING): { at: Followed; resyncs: number } {
  let [at, resyncs] = [from, 0];
  for (const message of messages) {
    const taken = take(at, message);
    at = taken.next;
    resyncs += Number(taken.resync);
  }
  return { at, resyncs };
}

describe("following a table", () => {
  test("the view is the server's, never one's own", () => {
    const { at } = follow([state(3), entry(4)]);
    expect(at.view?.seq).toBe(3);
    expect(at.seq).toBe(4);
  });

  test("the state is asked for after the last entry of a batch, once", () => {
    expect(follow([state(3), entry(4, false), entry(5, false)]).resyncs).toBe(0);
    expect(follow([state(3), entry(4, false), entry(5), entry(6), entry(7)]).resyncs).toBe(1);
  });

  test("a state that is older than the last entry is asked for again", () => {
    const { at, resyncs } = follow([state(3), entry(4), entry(5), state(4), state(5)]);
    expect(resyncs).toBe(2);
    expect(at.asked).toBe(false);
    expect(at.view?.seq).toBe(5);
  });

  test("an entry that was seen already changes nothing", () => {
    const { at, resyncs } = follow([state(5), entry(4), entry(5)]);
    expect(resyncs).toBe(0);
    expect(at.entries).toEqual([]);
  });

  test("after a lost connection what was missed comes first, and one state after it", () => {
    const lost = follow([state(5), entry(6)]).at;
    const { at, resyncs } = follow([entry(7, false), entry(8), state(8)], reopened(lost));
    expect(resyncs).toBe(0); // asked for when the connection opened
    expect(at.view?.seq).toBe(8);
    expect(at.entries.map((found) => found.seq)).toEqual([6, 7, 8]);
  });

  test("entries are kept in bounds", () => {
    const many = Array.from({ length: 500 }, (_, n) => entry(n + 1));
    expect(follow(many).at.entries).toHaveLength(64);
    expect(follow(many).at.entries.at(-1)?.seq).toBe(500);
  });

  test("who is there", () => {
    const { at } = follow([{ type: "presence", places: [0, 2], watching: 3 }]);
    expect([at.present, at.watching]).toEqual([[0, 2], 3]);
  });
});

test("attempts become rarer, but never rarer than every ten seconds", () => {
  expect(patience(0, 1)).toBe(500);
  expect(patience(3, 0)).toBe(2000);
  expect(patience(30, 1)).toBe(10_000);
});
