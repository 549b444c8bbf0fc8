import { expect, test } from "vitest";
import { timeLeft, timeWords } from "../../src/lib/table/clock";

const clock = { left: [60_000, 30_000], mover: 1, since: 100_000, deadline: 120_000, now: 110_000 };

test("only who is to move loses time, by the server's deadline", () => {
  expect(timeLeft(clock, 1, 0)).toBe(10_000);
  expect(timeLeft(clock, 1, 4_000)).toBe(6_000);
  expect(timeLeft(clock, 1, 40_000)).toBe(0);
  expect(timeLeft(clock, 0, 4_000)).toBe(60_000);
});

test("who has time only for each move has none between", () => {
  expect(timeLeft({ ...clock, left: [0, 0] }, 0, 0)).toBeNull();
});

test("times read as clocks show them", () => {
  expect(timeWords(6_400, "en")).toBe("0:07");
  expect(timeWords(750_000, "en")).toBe("12:30");
  expect(timeWords(3_600_000, "en")).toBe("1:00:00");
  expect(timeWords(3 * 86_400_000, "de")).toBe("3 Tg. 0 Std.");
});
