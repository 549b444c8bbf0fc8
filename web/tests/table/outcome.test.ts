import { describe, expect, test } from "vitest";
import type { ResultView, StandingView } from "../../src/lib/api";
import { byColour, decidedBy, decisive, headline, ownSeats, ownSide, telling } from "../../src/lib/table/outcome";

const side = (seats: number[], rank: number, places: number[]): StandingView => {
  const markers = places.map((place, colour): [number, number] => [colour, place]).sort((a, b) => a[1] - b[1]);
  return { seats, rank, markers, figures: markers.map(([, place]) => place) };
};

const result = (standings: StandingView[], more: Partial<ResultView> = {}): ResultView => ({
  standings,
  lowest: standings[0]?.figures[0] ?? 0,
  total: 90,
  index: 0,
  code: "decided-lowest",
  params: {},
  ...more,
});

const WON = side([1], 1, [18, 17, 18, 18, 13, 18]);
const LOST = side([0], 2, [18, 18, 10, 10, 10, 12]);
const NAMES = ["Juno", "Ada"];
const t = (code: string): string => code;

describe("the result of two", () => {
  test("speaks to who won and to who lost, and names both for others", () => {
    const told = result([WON, LOST]);
    expect(headline(told, new Set([1]), NAMES)).toBe("You won!");
    expect(headline(told, new Set([0]), NAMES)).toBe("Ada won");
    expect(decisive(told, new Set([1]), NAMES, t)).toBe("Weakest against weakest: your 13 beats Juno's 10.");
    expect(decisive(told, new Set([0]), NAMES, t)).toBe("Weakest against weakest: Ada's 13 beats your 10.");
    expect(decisive(told, new Set(), NAMES, t)).toBe("Weakest against weakest: Ada's 13 beats Juno's 10.");
  });

  test("names both where one device played for both", () => {
    const told = result([WON, LOST]);
    expect(ownSide(told.standings, new Set([0, 1]))).toBeNull();
    expect(headline(told, new Set([0, 1]), NAMES)).toBe("Ada won");
  });

  test("shows the colours that count and the one that decided", () => {
    expect(telling(WON)).toEqual([4]);
    expect(telling(LOST)).toEqual([2, 3, 4]);
    expect(decidedBy(result([WON, LOST]))).toEqual([4]);
    expect(decidedBy(result([WON, LOST], { index: null }))).toEqual([]);
    expect(byColour(LOST)).toEqual([18, 18, 10, 10, 10, 12]);
  });
});

test("a draw, a team and who plays alone", () => {
  const tie = result([{ ...WON }, { ...WON, seats: [0] }], { code: "decided-equal", index: null });
  expect(headline(tie, new Set([1]), NAMES)).toBe("A draw");
  expect(decisive(tie, new Set([1]), NAMES, t)).toBe("decided-equal");
  const team = result([{ ...WON, seats: [0, 2] }, { ...LOST, seats: [1, 3] }]);
  expect(headline(team, new Set([2]), ["A", "B", "C", "D"])).toBe("Your team won!");
  expect(headline(team, new Set([1]), ["A", "B", "C", "D"])).toBe("A and C won");
  expect(headline(result([WON]), new Set([1]), NAMES)).toBe("13 in your weakest");
});

test("shared markers count the colours that were won", () => {
  const markers: [number, number][] = [[0, 3], [1, -2], [2, 5], [3, 0], [4, -1], [5, 9]];
  const duel = { seats: [0], rank: 1, markers, figures: [3, 17] };
  expect(telling(duel)).toEqual([0, 2, 5]);
  expect(decidedBy(result([duel, { ...duel, seats: [1], rank: 2 }], { code: "decided-colours" }))).toEqual([0, 2, 5]);
});

test("the own seats are those of the own places", () => {
  expect([...ownSeats([{ yours: false }, { yours: true }], [1, 0])]).toEqual([0]);
});
