import { describe, expect, test } from "vitest";
import { RADIUS } from "../../src/lib/look/geometry";
import { SYMBOL_PATHS } from "../../src/lib/look/symbols";
import type { Seen } from "../../src/lib/table/parse";
import { cellBody, pathPoints, symbol, tileBody } from "../../src/lib/three/outlines";
import { cellsOf, piecesOf } from "../../src/lib/three/pieces";
import { hexagon } from "../table/board";

describe("outlines", () => {
  test("every symbol has an outline inside its cell", () => {
    SYMBOL_PATHS.forEach((_, colour) => {
      const points = symbol(colour).flatMap((outline) => outline.points);
      expect(points.length).toBeGreaterThan(5);
      for (const [x, y] of points) expect(Math.hypot(x, y)).toBeLessThanOrEqual(RADIUS * 0.7);
    });
  });

  test("a ring has a hole, a sun has twelve rays, a disc is one piece", () => {
    const holes = SYMBOL_PATHS.map((_, colour) => symbol(colour).reduce((sum, outline) => sum + outline.holes.length, 0));
    expect(holes).toEqual([0, 0, 0, 0, 0, 1]);
    expect(symbol(2)).toHaveLength(13);
    expect(symbol(3)).toHaveLength(1);
  });

  test("a path of lines is read point by point", () => {
    expect(pathPoints("M1 2L3 4L5 6z")).toEqual([[[1, 2], [3, 4], [5, 6]]]);
  });

  test("bodies stay inside their cells", () => {
    for (const [x, y] of cellBody()) expect(Math.hypot(x, y)).toBeLessThan(RADIUS);
    for (const direction of [0, 1, 2]) expect(tileBody(direction).length).toBe(30);
  });
});

describe("pieces", () => {
  const small = hexagon(2);
  const at = (q: number, r: number): number => small.cells.findIndex(([a, b]) => a === q && b === r);
  const flat = small.cells.map((_, n): Seen => ({ n, colour: -1, half: -1, height: 0 }));
  const high = (cells: number[], height: number): Seen[] =>
    flat.map((cell) => (cells.includes(cell.n) ? { ...cell, colour: 0, half: 0, height } : cell));

  test("a tile is one piece over its two cells, from either end", () => {
    const seen = high([at(0, 0), at(1, 0)], 1);
    for (const cells of [[[0, 0], [1, 0]], [[1, 0], [0, 0]]]) {
      const [piece, ...rest] = piecesOf(small, seen, [{ type: "place", seat: 0, tile: "RB", cells, level: 0, gain: [] }]);
      expect(rest).toEqual([]);
      expect(piece).toMatchObject({ kind: "tile", level: 0 });
      expect(piece && cellsOf(small, piece).sort()).toEqual([at(0, 0), at(1, 0)].sort());
    }
  });

  test("what no event tells of stands there cell by cell, as high as it is", () => {
    const pieces = piecesOf(small, high([at(0, 0)], 3), []);
    expect(pieces.map((piece) => [piece.kind, piece.cell, piece.level])).toEqual([0, 1, 2].map((level) => ["cell", at(0, 0), level]));
  });
});
