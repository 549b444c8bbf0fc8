// Unchanged parts keep their identity, so that a placement redraws little.

import { expect, test } from "vitest";
import { shared } from "../../src/lib/net/shared";
import { CellTexts } from "../../src/lib/table/board/cells";
import { historyOf } from "../../src/lib/table/history";
import { hexagon } from "./board";

/** Cells that record what is written on them. */
function cellsThatNote(count: number) {
  const notes: string[] = [];
  const cells = Array.from({ length: count }, (_, n) => ({
    setAttribute: (name: string, text: string) => void notes.push(`${n} ${name}: ${text}`),
  }));
  return { cells, notes };
}

test("a text is written only where it changed", () => {
  const { cells, notes } = cellsThatNote(3);
  const texts = new CellTexts(cells);
  texts.write("aria-label", ["a1", "a2", "a3"]);
  texts.write("tabindex", ["0", "-1", "-1"]);
  notes.length = 0;
  texts.write("aria-label", ["a1", "a2, red", "a3"]);
  texts.write("tabindex", ["-1", "-1", "0"]);
  expect(notes).toEqual(["1 aria-label: a2, red", "0 tabindex: -1", "2 tabindex: 0"]);
});

test("on another board every text is written", () => {
  const first = cellsThatNote(2);
  const cells = [...first.cells];
  const texts = new CellTexts(cells);
  texts.write("aria-label", ["a1", "a2"]);
  const second = cellsThatNote(3);
  cells.splice(0, 2, ...second.cells);
  texts.write("aria-label", ["a1", "a2", "a3"]);
  expect(second.notes).toEqual(["0 aria-label: a1", "1 aria-label: a2", "2 aria-label: a3"]);
});

const place = (tile: string) => ({ type: "place", seat: 0, tile, cells: [[0, 0], [1, 0]] as [number, number][], gain: [1] });

test("a state that comes anew keeps the lines of the history, also after a take-back", () => {
  const board = hexagon(2);
  let events = ["RR", "RO"].map(place);
  const told = (tiles: string[]) => historyOf((events = shared(events, tiles.map(place))), board);
  const first = told(["RR", "RO"]);
  const longer = told(["RR", "RO", "RY"]);
  expect(longer.map((line, n) => line === first[n])).toEqual([true, true, false]);
  const other = told(["RR", "RB"]);
  expect(other.map(({ tile }) => tile)).toEqual(["RR", "RB"]);
  expect(other[0]).toBe(first[0]);
});

test("parts that are the same are shared, all others are new", () => {
  const before = { seq: 1, places: [{ name: "Ada" }, { name: "Bert" }], chat: [], clock: null, legal: { pairs: [1, 2] } };
  const told = { seq: 2, places: [{ name: "Ada" }, { name: "Bo" }], chat: [], clock: { left: [1] }, legal: null };
  const after = shared(before, structuredClone(told));
  expect(after).toEqual(told);
  expect(after.chat).toBe(before.chat);
  expect(after.places[0]).toBe(before.places[0]);
  expect(after.places[1]).not.toBe(before.places[1]);
  expect(before.places[1]).toEqual({ name: "Bert" });
});

test("what is the same in all its parts is the same", () => {
  const before = { a: [1, [2, { b: "c" }]], d: null };
  expect(shared(before, structuredClone(before))).toBe(before);
});

test.each([
  ["longer", [1], [1, 2]],
  ["shorter", [1, 2], [1]],
  ["no list any more", [1], { 0: 1 }],
  ["without a part", { a: 1, b: undefined }, { a: 1 }],
  ["with another part", { a: 1 }, { b: 1 }],
  ["nothing before", null, { a: 1 }],
])("what is %s is told as it is", (_, before, after) => {
  const found = shared(before, structuredClone(after));
  expect(found).toEqual(after);
  expect(found).not.toBe(before);
});
