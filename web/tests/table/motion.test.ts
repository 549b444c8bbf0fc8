import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Motion } from "../../src/lib/table/motion.svelte";
import { Preview } from "../../src/lib/table/preview.svelte";
import { soundOf } from "../../src/lib/table/calling";
import type { Explained } from "../../src/lib/table/types";

const place = (tile: string) => ({ type: "place", seat: 1, tile });
const draw = { type: "draw", seat: 1 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("motion", () => {
  test("shows what is new one after the other, and nothing of what was there", () => {
    const motion = new Motion();
    expect(motion.follow(0, [place("RR")])).toEqual([]);
    expect(motion.current).toBeNull();
    motion.follow(0, [place("RR"), place("OO"), place("YY"), draw]);
    expect(motion.current?.tile).toBe("OO");
    expect(motion.waiting.map(({ tile }) => tile)).toEqual(["YY"]);
    vi.runAllTimers();
    expect(motion.current?.tile).toBe("YY");
    expect(motion.waiting).toEqual([]);
  });

  test("holds nothing back from who takes a tile, or wishes stillness", () => {
    const motion = new Motion();
    motion.follow(0, []);
    motion.follow(0, [place("RR"), place("OO")]);
    motion.flush();
    expect(motion.waiting).toEqual([]);
    vi.runAllTimers();
    expect(motion.current).toBeNull();

    const still = new Motion(() => true);
    still.follow(0, []);
    still.follow(0, [place("RR"), place("OO")]);
    expect([still.current?.tile, still.waiting]).toEqual(["OO", []]);
  });

  test("begins anew with another game and after a take-back", () => {
    const motion = new Motion();
    motion.follow(0, [place("RR"), place("OO")]);
    expect(motion.follow(0, [place("RR")])).toEqual([]);
    expect(motion.follow(1, [place("BB"), place("PP")])).toEqual([]);
    expect(motion.current).toBeNull();
  });
});

test("only the last of several events is heard", () => {
  expect(soundOf([place("RR"), draw], false)).toBe("place");
  expect(soundOf([place("RR")], true)).toBe("bonus");
  expect(soundOf([place("RR"), { type: "end" }], false)).toBe("over");
  expect(soundOf([draw], false)).toBeNull();
});

describe("the preview", () => {
  const answer = (move: string): Promise<Explained> =>
    Promise.resolve({ gain: [move.length], markers: [], bonus: 0, halves: [] });

  test("asks when the pointer rests, once for each move of a moment", async () => {
    const asked: string[] = [];
    const preview = new Preview((move) => (asked.push(move), answer(move)));
    for (const move of ["a", "b", "c"]) preview.look(move);
    await vi.runAllTimersAsync();
    preview.look(null);
    preview.look("c");
    expect(preview.explained).not.toBeNull();
    await vi.runAllTimersAsync();
    expect(asked).toEqual(["c"]);
    preview.clear();
    preview.look("c");
    expect(preview.explained).toBeNull();
    await vi.runAllTimersAsync();
    expect(asked).toEqual(["c", "c"]);
  });

  test("asks at most three times a second, whatever the pointer does", async () => {
    let asked = 0;
    const preview = new Preview((move) => (asked++, answer(move)));
    for (let n = 0; n < 600; n++) {
      preview.look(`move ${n}`);
      await vi.advanceTimersByTimeAsync(n % 2 ? 130 : 70);
    }
    expect(asked).toBeGreaterThan(10);
    expect(asked).toBeLessThanOrEqual(3 * 60);
  });

  test("shows nothing that came too late", async () => {
    let answerNow: (found: Explained) => void = () => undefined;
    const preview = new Preview(() => new Promise((done) => (answerNow = done)));
    preview.look("a");
    await vi.runAllTimersAsync();
    preview.look("b");
    answerNow({ gain: [], markers: [], bonus: 0, halves: [] });
    await vi.advanceTimersByTimeAsync(0);
    expect(preview.explained).toBeNull();
  });

  test("takes back what was asked about a position that passes", async () => {
    const signals: AbortSignal[] = [];
    const preview = new Preview((_, signal) => (signals.push(signal), new Promise(() => undefined)));
    preview.look("a");
    await vi.runAllTimersAsync();
    preview.look("b");
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]); // it may be looked at again
    await vi.runAllTimersAsync();
    preview.look(null);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    preview.look("c");
    await vi.runAllTimersAsync();
    preview.clear();
    expect(signals.at(-1)?.aborted).toBe(true);
  });
});
