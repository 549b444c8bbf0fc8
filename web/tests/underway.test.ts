// What is pressed twice is sent once, by socket or by HTTP.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Refusal, Unreachable } from "../src/lib/net/http";
import { UnderWay } from "../src/lib/net/underway.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A request over HTTP that is answered by hand. */
function asked() {
  const found = { deed: vi.fn(() => answer), resolve: () => undefined as void, reject: (_: Error) => undefined as void };
  const answer = new Promise<void>((resolve, reject) => Object.assign(found, { resolve, reject }));
  return found;
}

test("while one thing is under way nothing else begins", () => {
  const underWay = new UnderWay();
  const sent: string[] = [];
  expect(underWay.begin((id) => sent.push(id))).toBe(true);
  expect(underWay.begin((id) => sent.push(id))).toBe(false);
  const { deed } = asked();
  expect(underWay.attempt(deed)).toBe(false);
  expect([sent.length, deed.mock.calls.length, underWay.busy]).toEqual([1, 0, true]);
  underWay.done(sent[0] ?? "");
  expect(underWay.busy).toBe(false);
  expect(underWay.begin((id) => sent.push(id))).toBe(true);
  expect(new Set(sent).size).toBe(2);
});

test("what is asked over HTTP is done when it is answered", async () => {
  const underWay = new UnderWay();
  const { deed, resolve } = asked();
  underWay.attempt(deed);
  expect(underWay.busy).toBe(true);
  resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect([underWay.busy, underWay.failure]).toEqual([false, null]);
});

test("why it failed is there until the next thing begins, or it was read", async () => {
  const underWay = new UnderWay();
  const refusal = new Refusal({ code: "stale", params: {}, ruling: null, text: "" });
  const first = asked();
  underWay.attempt(first.deed);
  first.reject(refusal);
  await vi.advanceTimersByTimeAsync(0);
  expect([underWay.busy, underWay.failure]).toEqual([false, refusal]);
  let id = "";
  underWay.begin((given) => (id = given));
  expect(underWay.failure).toBeNull();
  underWay.failed(id, new Unreachable());
  expect(underWay.failure).toBeInstanceOf(Unreachable);
  underWay.forget();
  expect(underWay.failure).toBeNull();
});

test("what cannot be sent has failed at once", () => {
  const underWay = new UnderWay();
  underWay.begin(() => {
    throw new Unreachable();
  });
  expect([underWay.busy, underWay.failure]).toEqual([false, new Unreachable()]);
});

test("an answer that comes too late is the answer to nothing", () => {
  const underWay = new UnderWay();
  const ids: string[] = [];
  underWay.begin((id) => ids.push(id));
  underWay.failed(ids[0] ?? "", new Unreachable());
  underWay.begin((id) => ids.push(id));
  underWay.done(ids[0] ?? "");
  expect(underWay.busy).toBe(true);
});

test("a press counts as the same for a moment, however soon it is answered", () => {
  const underWay = new UnderWay();
  underWay.begin((id) => underWay.done(id));
  expect([underWay.busy, underWay.fresh]).toEqual([false, true]);
  vi.advanceTimersByTime(349);
  expect(underWay.fresh).toBe(true);
  vi.advanceTimersByTime(1);
  expect([underWay.fresh, underWay.slow]).toEqual([false, false]);
});

test("what takes long shows that it does, until it is done", () => {
  const underWay = new UnderWay();
  let id = "";
  underWay.begin((given) => (id = given));
  expect(underWay.slow).toBe(false);
  vi.advanceTimersByTime(350);
  expect(underWay.slow).toBe(true);
  underWay.done(id);
  expect(underWay.slow).toBe(false);
});

test("a press that comes too early is counted, so that it can be told, until the thing is done", () => {
  const underWay = new UnderWay();
  let id = "";
  expect(underWay.refuses()).toBe(false);
  underWay.begin((given) => (id = given));
  vi.advanceTimersByTime(350);
  expect([underWay.refuses(), underWay.begin(() => undefined), underWay.refused]).toEqual([true, false, 2]);
  underWay.done(id);
  expect([underWay.refuses(), underWay.refused]).toEqual([false, 0]);
});

test("a press that trembled is told nothing", () => {
  const underWay = new UnderWay();
  underWay.begin(() => undefined);
  expect([underWay.begin(() => undefined), underWay.refused]).toEqual([false, 0]);
});
