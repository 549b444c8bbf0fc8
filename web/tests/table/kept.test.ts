// What did not change stays the very same thing, so that a placement draws little anew.

import { expect, test } from "vitest";
import { type GridCell, GridRows } from "../../src/lib/table/board/cells";
import { historyOf, keepLines } from "../../src/lib/table/history";
import { hexagon } from "./board";

const cellAt = (aimed: number) => (n: number): GridCell => ({ n, label: `cell ${n}`, isAimed: n === aimed, isCurrent: n === 0 });

test("aiming elsewhere renews two cells and their lines", () => {
  const lines = [[0, 1], [2, 3], [4, 5]];
  const grid = new GridRows();
  const before = grid.of(lines, cellAt(1));
  const after = grid.of(lines, cellAt(2));
  expect(after.map((line, row) => line === before[row])).toEqual([false, false, true]);
  const renewed = after.flat().filter((cell) => !before.flat().includes(cell));
  expect(renewed.map(({ n, isAimed }) => [n, isAimed])).toEqual([[1, false], [2, true]]);
});

test("another board is another grid", () => {
  const grid = new GridRows();
  grid.of([[0, 1]], cellAt(0));
  expect(grid.of([[0, 1, 2], [3]], cellAt(0)).map((line) => line.map(({ n }) => n))).toEqual([[0, 1, 2], [3]]);
});

test("a state that comes anew keeps the lines of the history, also after a take-back", () => {
  const place = (tile: string) => ({ type: "place", seat: 0, tile, cells: [[0, 0], [1, 0]] as [number, number][], gain: [1] });
  const told = (tiles: string[]) => historyOf(tiles.map(place), hexagon(2));
  const first = told(["RR", "RO"]);
  const longer = keepLines(first, told(["RR", "RO", "RY"]));
  expect(longer.map((line, n) => line === first[n])).toEqual([true, true, false]);
  const other = keepLines(longer, told(["RR", "RB"]));
  expect(other.map(({ tile }) => tile)).toEqual(["RR", "RB"]);
  expect(other[0]).toBe(first[0]);
});
