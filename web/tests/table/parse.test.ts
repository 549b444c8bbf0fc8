import { describe, expect, test } from "vitest";
import { keep, neighbours, parseBoard, parseCards, rows } from "../../src/lib/table/parse";
import { CellNames } from "../../src/lib/table/scene";
import { hexagon } from "./board";

const board = hexagon(1);
// Three rows of a board of radius 1: a red-blue tile in the middle, a green start stone below it, and an
// orange half two pieces high.
const text = "../R0B3./G*O2''";
const at = (name: string) => board.names.indexOf(name);

describe("a board text", () => {
  test("gives each cell its symbol, its other half and its height", () => {
    const seen = parseBoard(text, board);
    expect(seen).toHaveLength(7);
    expect(seen[at("b1")]).toEqual({ n: at("b1"), colour: 0, half: 0, height: 1 });
    expect(seen[at("b2")]).toEqual({ n: at("b2"), colour: 4, half: 3, height: 1 });
    expect(seen[at("a1")]).toEqual({ n: at("a1"), colour: -1, half: -1, height: 0 });
    expect(seen[at("c1")]).toEqual({ n: at("c1"), colour: 3, half: -1, height: 1 });
    expect(seen[at("c2")]).toEqual({ n: at("c2"), colour: 1, half: 2, height: 3 });
  });

  test.each(["../.../.", "../.../..x", "../R6.../..", "../Q0../.."])("that does not fit is refused: %s", (wrong) => {
    expect(() => parseBoard(wrong, board)).toThrow();
  });

  test("keeps the cells that did not change", () => {
    const before = parseBoard(text, board);
    const after = keep(before, parseBoard("../R0B3P*/G*O2''", board));
    const changed = after.filter((cell, n) => cell !== before[n]);
    expect(changed.map((cell) => board.names[cell.n])).toEqual(["b3"]);
  });
});

test("open cards are read seat by seat", () => {
  expect(parseCards("BPOP/-/OB")).toEqual([["BP", "OP"], [], ["OB"]]);
});

test("rows run from the top, each from the left", () => {
  expect(rows(board).map((row) => row.map((n) => board.names[n]))).toEqual([
    ["a1", "a2"],
    ["b1", "b2", "b3"],
    ["c1", "c2"],
  ]);
});

test("neighbours go round clockwise from the right, -1 where the board ends", () => {
  const names = (n: number): string => board.names[n] ?? "";
  expect(neighbours(board)[at("b2")]?.map(names)).toEqual(["b3", "c2", "c1", "b1", "a1", "a2"]);
  expect(neighbours(board)[at("a1")]?.filter((n) => n < 0)).toHaveLength(3);
});

test("a placement names anew only the cells it touched", () => {
  const around = neighbours(board);
  const asked: string[] = [];
  const t = (code: string): string => (asked.push(code), code);
  const names = new CellNames();
  const first = parseBoard("../R0B3./..", board);
  expect(names.of(first, around, board, "en", t)[at("b1")]).toContain("colour-0");
  asked.length = 0;
  const second = keep(first, parseBoard("G0Y3/R0B3./..", board));
  names.of(second, around, board, "en", t);
  expect(asked).toEqual(["colour-3", "colour-2", "colour-2", "colour-3"]);
  names.of(second, around, board, "de", t);
  expect(asked.length).toBeGreaterThan(4);
});
