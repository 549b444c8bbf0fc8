import { describe, expect, test } from "vitest";
import type { Analysis, Frame, Judged, Replay } from "../../src/lib/api";
import { estimates, linesOf, sidesOf } from "../../src/lib/after/figures";
import { errorsOf, feared, nextError, ownSeat, rowsOf, startOf, worst } from "../../src/lib/after/moves";
import { gameOf } from "../../src/lib/after/stage";

const frame = (move: string | null, seat = 0, gain = [0, 0, 0, 0, 0, 0]): Frame =>
  ({
    move,
    act: move === null ? null : { type: move === "swap" ? "swap" : "place", seat, gain },
    lowest: [seat, 2],
    sums: [3, 4],
    game: { sides: [{ seats: [0] }, { seats: [1] }], view: { racks: [["RB"], ["GP", "OO"]], viewer: [0, 1] } },
  }) as unknown as Frame;

const REPLAY = {
  variant: "classic",
  seats: 2,
  frames: [frame(null), frame("RB@a1,a2", 0, [1, 0, 0, 0, 3, 0]), frame("GP@b1,b2", 1), frame("swap", 1)],
} as unknown as Replay;

const judged = (ply: number, seat: number, verdict: Judged["verdict"], more: Partial<Judged> = {}): Judged =>
  ({ ply, seat, verdict, move: "RB@a1,a2", given_away: 0.2, shares: [0.6, 0.4], value: 0.5, best: { value: 0.7 }, ...more }) as Judged;

const ANALYSIS = {
  unit: "share",
  moves: [
    judged(1, 0, "best", { given_away: 0 }),
    judged(2, 1, "slip"),
    judged(2, 1, "mistake", { move: "refill", given_away: 0.3, shares: [0.7, 0.3] }),
  ],
} as unknown as Analysis;

describe("the moves of a game", () => {
  const rows = rowsOf(REPLAY, ANALYSIS);

  test("are the frames that a move led to, with what it brought", () => {
    expect(rows.map((row) => [row.ply, row.seat, row.move])).toEqual([[1, 0, "RB@a1,a2"], [2, 1, "GP@b1,b2"], [3, 1, "swap"]]);
    expect(rows[0]?.gain).toEqual([{ colour: 0, points: 1 }, { colour: 4, points: 3 }]);
    expect(rows[0]?.told).toMatchObject({ type: "place", tile: "RB", level: 0 });
  });

  test("carry the opinion of the move, and of having ended the turn", () => {
    expect(rows.map((row) => [row.judged?.verdict, row.kept?.verdict])).toEqual([
      ["best", undefined],
      ["slip", "mistake"],
      [undefined, undefined],
    ]);
  });

  test("are marked with the worse of the two", () => {
    expect(rows.map((row) => worst(row)?.verdict)).toEqual([undefined, "mistake", undefined]);
    expect(errorsOf(rows, 2)).toEqual([{ slips: 0, mistakes: 0 }, { slips: 0, mistakes: 1 }]);
  });

  test("lead from error to error, round and round", () => {
    expect(nextError(rows, 0)?.ply).toBe(2);
    expect(nextError(rows, 2)?.ply).toBe(2);
    expect(nextError(rowsOf(REPLAY, null), 0)).toBeNull();
  });
});

test("a threat is where most is to be feared", () => {
  expect(feared({ seat: 1, gain: [0.1, 3, 0, 1, 2, 0.5] })).toEqual([
    { colour: 1, points: 3 },
    { colour: 4, points: 2 },
    { colour: 3, points: 1 },
  ]);
  expect(feared(null)).toEqual([]);
});

describe("figures", () => {
  test("have a line for each side", () => {
    expect(linesOf(REPLAY, ["Ada", "Bo"], "lowest")).toEqual([
      { name: "Ada", values: [0, 0, 1, 1] },
      { name: "Bo", values: [2, 2, 2, 2] },
    ]);
  });

  test("have one for each of two who share their pegs", () => {
    const shared = { ...REPLAY, frames: [{ ...frame(null), game: { sides: [{ seats: [0, 1] }] } }] } as unknown as Replay;
    expect(sidesOf(shared)).toEqual([[0], [1]]);
  });

  test("estimate the win before each choice", () => {
    const [ada, bo] = estimates(REPLAY, ["Ada", "Bo"], ANALYSIS) ?? [];
    expect(ada?.values).toEqual([0.6, 0.6, 0.7, null]);
    expect(bo?.values).toEqual([0.4, 0.4, 0.3, null]);
  });

  test("estimate the lowest marker of who plays alone", () => {
    const alone = { ...ANALYSIS, unit: "lowest" } as Analysis;
    expect(estimates(REPLAY, ["Ada"], alone)?.[0]?.values).toEqual([0.7, 0.7, 0.7, null]);
  });

  test("estimate nothing where the bot does not look ahead, or has not yet said anything", () => {
    expect(estimates(REPLAY, ["Ada", "Bo"], { ...ANALYSIS, unit: "points" } as Analysis)).toBeNull();
    expect(estimates(REPLAY, ["Ada", "Bo"], { ...ANALYSIS, moves: [] } as Analysis)).toBeNull();
  });
});

test("one seat's view hides what the others hold", () => {
  expect(gameOf(frame(null), null).view.racks).toEqual([["RB"], ["GP", "OO"]]);
  const seen = gameOf(frame(null), 0).view;
  expect(seen.racks).toEqual([["RB"], ["??", "??"]]);
  expect(seen.viewer).toEqual([0]);
});

describe("playing on", () => {
  test("is from the seat one had, or from the only one that no bot had", () => {
    expect(ownSeat({ own: [1], bots: [null, null] })).toBe(1);
    expect(ownSeat({ own: [], bots: ["greedy", null] })).toBe(1);
    expect(ownSeat({ own: [], bots: [null, null] })).toBeNull();
    // Somebody who played all seats has none of their own.
    expect(ownSeat({ own: [0, 1], bots: [null, null] })).toBeNull();
  });

  test("begins before a move of one's own, and after anybody else's", () => {
    expect(startOf(REPLAY, 1, 0)).toBe(0);
    expect(startOf(REPLAY, 2, 0)).toBe(2);
    expect(startOf(REPLAY, 3, 1)).toBe(2);
    expect(startOf(REPLAY, 1, null)).toBe(1);
    expect(startOf(REPLAY, 0, 0)).toBe(0);
  });
});
