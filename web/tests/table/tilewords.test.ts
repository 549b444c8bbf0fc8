import { expect, test } from "vitest";
import { deedWords, lowestOn, moveWords, ownWords, toldBy, toldIn } from "../../src/lib/table/tilewords";
import { rendered } from "../../src/lib/words";
import { hexagon } from "./board";

const WORDS = { "colour-0": "red", "colour-4": "blue", points: ["{count} point", "{count} points"] as [string, string] };
const t = (code: string, params?: Record<string, unknown>): string => rendered(WORDS, code, params);
const board = hexagon(2);
const [first, second] = ["c3", "c4"].map((name) => board.cells[board.names.indexOf(name)] as [number, number]);

test("a move is told alike from an event and from notation", () => {
  const event = { type: "place", seat: 0, tile: "RB", cells: [first, second] as [number, number][], gain: [2, 0, 0, 0, 1, 0] };
  const words = "red blue tile on c3 c4, 3 points";
  expect(moveWords(toldBy(event, board), t)).toBe(words);
  expect(moveWords(toldIn("RB@c3,c4", event.gain), t)).toBe(words);
  expect(deedWords(toldBy(event, board), "Ada", t)).toBe(`Ada: ${words}`);
});

test("who hears of a tile that lies on others hears how high", () => {
  const event = { type: "place", seat: 0, tile: "RB", cells: [first, second] as [number, number][], level: 2, gain: [1] };
  expect(moveWords(toldBy(event, board), t)).toBe("red blue tile on c3 c4, level 2, 1 point");
});

test("cards, swaps and what is not worth saying", () => {
  expect(deedWords(toldIn("RB", [0, 0, 0, 0, 2, 0]), "Bo", t)).toBe("Bo: red blue card, 2 points");
  expect(deedWords(toldIn("swap", []), "Bo", t)).toBe("Bo has swapped.");
  expect(moveWords(toldIn("refill", []), t)).toBe("no swap");
  expect(deedWords(toldBy({ type: "draw", seat: 0, tiles: ["??"] }, board), "Bo", t)).toBe("");
});

test("a hidden tile stays hidden", () => {
  expect(moveWords(toldBy({ type: "play", seat: 1, tile: "??", gain: [] }, board), t)).toBe("hidden, 0 points");
});

test("one's own tile tells which lowest colours it shows, unless all are equally low", () => {
  expect(lowestOn("RB", [0, 3])).toEqual([0]);
  expect(lowestOn("RR", [0])).toEqual([0]);
  expect(lowestOn("RB", [0, 1, 2, 3, 4, 5])).toEqual([]);
  expect(ownWords("RB", false, [4], t)).toBe("red blue tile, shows your lowest colour: blue");
  expect(ownWords("RB", false, [3], t)).toBe("red blue tile");
});
