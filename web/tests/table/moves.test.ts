import { describe, expect, test } from "vitest";
import type { LegalMoves } from "../../src/lib/api";
import { SPACING, centre } from "../../src/lib/look/geometry";
import { aimAt, broughtBy, heat, moveText, nearest, pointsOf, spotAt, spotsOf, turned } from "../../src/lib/table/moves";
import type { Spot } from "../../src/lib/table/types";
import { hexagon } from "./board";

const board = hexagon(1);
const at = (name: string) => board.names.indexOf(name);
const pair = (a: string, b: string) =>
  board.pairs.findIndex(([x, y]) => [x, y].sort().join() === [at(a), at(b)].sort().join());

// Two pairs: a1-b2 and b2-b3. On the first the tile RB scores 1 and 2, turned round 3 and 4.
const legal: LegalMoves = {
  phase: "place",
  limited: false,
  pairs: [pair("a1", "b2"), pair("b2", "b3")],
  points: {
    B: { on_first: [4, 5], on_second: [2, 0] },
    R: { on_first: [1, 0], on_second: [3, 0] },
  },
  tiles: [
    {
      tile: "RB",
      // Turned round on the first pair, red advances only 1 of its 3 points, and reaches a bonus step.
      results: [[3, 4, 1, 4, 1]],
    },
  ],
  cards: [],
  swap: false,
};
const spots = spotsOf(board, legal);
const spot = (name: string, direction: number): Spot => {
  const found = spotAt(spots, { cell: at(name), direction });
  if (!found) throw new Error(`no spot at ${name}`);
  return found;
};

describe("a move", () => {
  test("names the first symbol's cell first, turned or not", () => {
    expect(moveText(board, "RB", spot("a1", 1))).toBe("RB@a1,b2");
    expect(moveText(board, "RB", spot("b2", 4))).toBe("RB@b2,a1");
  });

  test("brings what the server said for that place and turn", () => {
    const [straight, around] = [spot("a1", 1), spot("b2", 4)];
    expect([straight.turned, around.turned]).toEqual([false, true]);
    expect(pointsOf(legal, "RB", straight)).toEqual([1, 2]);
    expect(pointsOf(legal, "RB", around)).toEqual([3, 4]);
    expect(pointsOf(legal, "YY", straight)).toBeNull();
  });

  test("moves the markers as the server said, and by the points where it said nothing else", () => {
    expect(broughtBy(legal, "RB", spot("a1", 1))).toEqual({ gain: [1, 0, 0, 0, 2, 0], count: 3, bonus: 0 });
    expect(broughtBy(legal, "RB", spot("b2", 4))).toEqual({ gain: [1, 0, 0, 0, 4, 0], count: 5, bonus: 1 });
    expect(broughtBy(legal, "YY", spot("a1", 1))).toBeNull();
  });

  test("is nowhere without legal moves", () => {
    expect(spotsOf(board, null).size).toBe(0);
  });
});

describe("aiming", () => {
  test("turns the tile as little as possible", () => {
    expect(aimAt(spots, at("b2"), 3)).toEqual({ cell: at("b2"), direction: 4 });
    expect(aimAt(spots, at("b2"), 1)).toEqual({ cell: at("b2"), direction: 0 });
    expect(aimAt(spots, at("c1"), 0)).toBeNull();
  });

  test("turns to the next lawful direction, both ways, and stays where there is but one", () => {
    const aim = { cell: at("b2"), direction: 0 };
    expect(turned(spots, aim, 1).direction).toBe(4);
    expect(turned(spots, { ...aim, direction: 4 }, 1).direction).toBe(0);
    expect(turned(spots, aim, -1).direction).toBe(4);
    expect(turned(spots, { cell: at("a1"), direction: 1 }, 1).direction).toBe(1);
  });

  test("snaps to the nearest permitted cell within reach", () => {
    const [x, y] = centre(board.cells[at("c2")] ?? [0, 0]);
    expect(nearest(board, spots, [x + SPACING * 0.1, y], 1.2)).toBe(at("b3"));
    expect(nearest(board, spots, [x, y + 10 * SPACING], 3)).toBeNull();
  });
});

test("the heat of a cell is the most that the first symbol's tile brings there", () => {
  const found = heat(legal, spots, "RB");
  expect(found.get(at("a1"))).toBe(3);
  expect(found.get(at("b2"))).toBe(5);
  expect(found.get(at("b3"))).toBe(5);
});
