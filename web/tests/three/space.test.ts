import { describe, expect, test } from "vitest";
import { RADIUS, polar } from "../../src/lib/look/geometry";
import { SYMBOL_PATHS } from "../../src/lib/look/symbols";
import type { Seen } from "../../src/lib/table/parse";
import { Fingers } from "../../src/lib/three/fingers";
import { Orbit, fit, tiltFor } from "../../src/lib/three/orbit";
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

describe("where one looks from", () => {
  const frames = [
    { half: 0.25, aspect: 1.05 },
    { half: 0.25, aspect: 0.9 },
    { half: 0.25, aspect: 2 },
  ];

  test("the board fills its frame and stays inside", () => {
    for (const frame of frames) {
      const tilt = tiltFor(frame.aspect);
      const { far, up } = fit(300, 15, tilt, frame);
      const seen = [0, 60, 120, 180, 240, 300].map((angle) => {
        const [x, z] = polar(angle, 300);
        const depth = far - z * Math.sin(tilt);
        return { x: Math.abs(x) / depth / (frame.half * frame.aspect), y: Math.abs(-z * Math.cos(tilt) - up) / depth / frame.half };
      });
      const most = Math.max(...seen.map(({ x, y }) => Math.max(x, y)));
      expect(most).toBeLessThanOrEqual(1.01);
      expect(most).toBeGreaterThan(0.93);
    }
  });

  test("the camera eases to where it is told to go, and at once for who wishes no motion", () => {
    const orbit = new Orbit();
    orbit.settle(0.6);
    expect(orbit.step(16)).toBe(true);
    expect(orbit.now.tilt).toBeLessThan(0.6);
    expect(orbit.step(Infinity)).toBe(true);
    expect(orbit.now.tilt).toBe(0.6);
    expect(orbit.step(16)).toBe(false);
  });

  test("whoever has turned the board keeps it so when the window changes", () => {
    const orbit = new Orbit();
    orbit.move(1, 0);
    orbit.settle(0.6);
    orbit.step(Infinity);
    expect(orbit.now.around).toBe(1);
    orbit.reset();
    orbit.step(Infinity);
    expect(orbit.now).toEqual({ around: 0, tilt: 0.6, far: 1 });
  });
});

describe("fingers", () => {
  const at = (x: number, y: number, type = "mouse", id = 1): PointerEvent =>
    ({ clientX: x, clientY: y, pointerId: id, pointerType: type, button: 0, currentTarget: {} }) as unknown as PointerEvent;
  const made = (choosing: boolean): { told: string[]; fingers: Fingers } => {
    const told: string[] = [];
    const fingers = new Fingers({
      isChoosing: () => choosing,
      isOnBoard: (x) => x < 100,
      aimedAt: () => 5,
      aim: (x) => (told.push(`aim ${x}`), 5),
      camera: () => told.push("camera"),
      place: () => told.push("place"),
      turn: () => told.push("turn"),
      size: () => 300,
    });
    return { told, fingers };
  };

  test("a mouse places by a click and turns the board by a drag", () => {
    const { told, fingers } = made(true);
    fingers.down(at(10, 10));
    fingers.up(at(11, 10));
    expect(told).toEqual(["aim 11", "place"]);
    told.length = 0;
    fingers.down(at(10, 10));
    fingers.move(at(60, 10));
    fingers.up(at(60, 10));
    expect(told).toEqual(["camera"]);
  });

  test("a finger carries the tile on the board, and turns the board beside it", () => {
    const { told, fingers } = made(true);
    fingers.down(at(10, 10, "touch"));
    fingers.move(at(60, 10, "touch"));
    fingers.up(at(60, 10, "touch"));
    expect(told).toEqual(["aim 10", "aim 60"]);
    told.length = 0;
    fingers.down(at(150, 10, "touch"));
    fingers.move(at(190, 10, "touch"));
    expect(told).toEqual(["camera"]);
  });

  test("a second tap turns the tile", () => {
    const { told, fingers } = made(true);
    fingers.down(at(10, 10, "touch"));
    fingers.up(at(10, 10, "touch"));
    expect(told).toEqual(["aim 10", "turn"]);
  });
});
