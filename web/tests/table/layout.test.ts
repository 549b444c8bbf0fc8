import { describe, expect, test } from "vitest";
import { bodyPath, boardSize, cellAt, centre, directionTo, inset, corners, RADIUS } from "../../src/lib/look/geometry";
import palette from "../../src/lib/look/palette.json";
import { COLOURS, SYMBOL_PATHS, coloursOf } from "../../src/lib/look/symbols";
import { parseBoard, neighbours } from "../../src/lib/table/parse";
import { bodies } from "../../src/lib/table/scene";
import { slopes } from "../../src/lib/table/levels";
import { hexagon } from "./board";

describe("cells", () => {
  test("are found again from their middle and from near their rim", () => {
    for (const cell of hexagon(7).cells) {
      const [x, y] = centre(cell);
      expect(cellAt([x, y])).toEqual(cell);
      expect(cellAt([x + RADIUS * 0.8, y])).toEqual(cell);
      expect(cellAt([x, y - RADIUS * 0.9])).toEqual(cell);
    }
  });

  test("of every board lie within its size", () => {
    for (const radius of [4, 5, 6, 7]) {
      const { width, height } = boardSize(radius);
      for (const cell of hexagon(radius).cells) {
        const [x, y] = centre(cell);
        expect(Math.abs(x) + RADIUS * (Math.sqrt(3) / 2)).toBeLessThanOrEqual(width / 2 + 1e-9);
        expect(Math.abs(y) + RADIUS).toBeLessThanOrEqual(height / 2 + 1e-9);
      }
    }
  });

  test("know the direction to each other", () => {
    expect(directionTo([0, 0], [1, -1])).toBe(5);
    expect(directionTo([0, 0], [2, 0])).toBe(-1);
  });

  test("shrink evenly", () => {
    for (const [x, y] of inset(corners(10), 1)) expect(Math.hypot(x, y)).toBeCloseTo(10 - 2 / Math.sqrt(3));
  });
});

test("a tile is drawn once, the lower ones first, and a half-covered one from its other half", () => {
  const board = hexagon(1);
  // R0 B3 lie in the middle row; a tile Y0 G3 on level 1 covers the blue half and the cell beside it.
  const seen = parseBoard("../R0Y0'G3'/..", board);
  const found = bodies(seen, neighbours(board));
  expect(found.map(({ from, level }) => [board.names[from], level])).toEqual([
    ["b1", 0],
    ["b2", 1],
  ]);
  expect(bodies(seen, neighbours(board))[1]).toBe(found[1]); // the same object: not redrawn
  expect(slopes(board, seen, neighbours(board)).every((path) => path.startsWith("M"))).toBe(true);
});

describe("the look", () => {
  test("has six shapes, all different, for six colours in every palette", () => {
    expect(new Set(SYMBOL_PATHS).size).toBe(6);
    expect(COLOURS).toBe("ROYGBP");
    for (const symbols of Object.values(palette.palettes)) expect(new Set(symbols).size).toBe(6);
  });

  test("has a body of a tile for each direction", () => {
    expect(new Set([0, 1, 2, 3, 4, 5].map((direction) => bodyPath(direction))).size).toBe(6);
  });

  test("shows hidden tiles by no colour", () => {
    expect(coloursOf("??")).toBeNull();
    expect(coloursOf("RB")).toEqual([0, 4]);
  });
});
