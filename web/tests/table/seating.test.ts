import { describe, expect, test } from "vitest";
import type { TableView } from "../../src/lib/api";
import { lastMoves, lowestOf, seating } from "../../src/lib/table/seating";
import { decision, standings } from "../../src/lib/table/standing";
import { TABLE_WORDS, tableWords } from "../../src/lib/table/words";
import { CLASSIC, DUEL } from "./board";

const t = tableWords("en", {});

function table(seats: number, tracks: number[][], viewer: number[]): TableView {
  const places = Array.from({ length: seats }, (_, n) => ({ name: ["Anna", "Bert", "Carla", "Dirk"][n], seat: n }));
  return {
    places,
    game: { places: places.map((_, n) => n), view: { seats, tracks, viewer } },
  } as unknown as TableView;
}

describe("sides", () => {
  test("come in the order of play, the viewer's own last", () => {
    const tracks = [0, 1, 2].map((n) => [n, n, n, n, n, n]);
    const found = seating(table(3, tracks, [1]), CLASSIC, t);
    expect(found.sides.map(({ track, own }) => [track, own])).toEqual([
      [2, false],
      [0, false],
      [1, true],
    ]);
  });

  test("of teams hold both partners", () => {
    const found = seating(table(4, [[0], [0]], [2]), { ...CLASSIC, sides: "teams" }, t);
    expect(found.sides.map(({ seats, own }) => [seats, own])).toEqual([
      [[1, 3], false],
      [[0, 2], true],
    ]);
  });

  test("of the duel share the pegs, which turn to whoever looks", () => {
    const pegs = [[3, -9, 0, 0, 0, 1]];
    expect(seating(table(2, pegs, [0]), DUEL, t).sides[0]?.markers).toEqual([3, -9, 0, 0, 0, 1]);
    expect(seating(table(2, pegs, [1]), DUEL, t).sides[0]?.markers).toEqual([-3, 9, 0, 0, 0, -1]);
  });
});

test("pegs that are won or lost count among the lowest no more", () => {
  expect(lowestOf([-9, -2, 0, 9, -2, 4], DUEL)).toEqual([1, 4]);
  expect(lowestOf([0, 5, 0, 1, 2, 3], CLASSIC)).toEqual([0, 2]);
});

test("the last moves are those of one turn", () => {
  const place = (seat: number, tile: string) => ({ type: "place", seat, tile });
  const events = [place(0, "RR"), { type: "draw", seat: 0 }, place(1, "OO"), place(1, "YY"), { type: "draw", seat: 1 }];
  expect(lastMoves(events).map((event) => event.tile)).toEqual(["OO", "YY"]);
  expect(lastMoves([{ type: "deal", seat: 0 }])).toEqual([]);
});

describe("a result", () => {
  test("shows the first markers from below that differ", () => {
    const result = { type: "end", ranks: [2, 1], tracks: [[3, 18, 5, 9, 9, 9], [18, 18, 3, 7, 9, 9]] };
    const sides = standings(result, CLASSIC);
    expect(sides.map((side) => side.seats)).toEqual([[1], [0]]);
    expect(decision(sides)).toEqual({ index: 1, winner: 7, loser: 5 });
  });

  test("of equals has nothing that decided", () => {
    const track = [1, 2, 3, 4, 5, 6];
    expect(decision(standings({ type: "end", ranks: [1, 1], tracks: [track, track] }, CLASSIC))).toBeNull();
  });

  test("of the duel counts colours, then their distances", () => {
    const pegs = [-1, 9, 2, -9, 9, -2];
    const sides = standings({ type: "end", ranks: [1, 2], tracks: [pegs, pegs] }, DUEL);
    expect(decision(sides)).toEqual({ index: 1, winner: 20, loser: 12 });
  });
});

test("all three languages have the same parameters in the same places", () => {
  const params = (message: string | string[]): string[] =>
    [message].flat().map((text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort().join());
  for (const [key, message] of Object.entries(TABLE_WORDS.en))
    for (const language of ["de", "nl"] as const)
      expect(params(TABLE_WORDS[language][key as keyof typeof TABLE_WORDS.en]), key).toEqual(params(message));
});
