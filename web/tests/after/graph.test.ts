import { describe, expect, test } from "vitest";
import { pathOf, plyAt, scaleOf, stopsOf, ticksOf, valueAt } from "../../src/lib/after/graph";

const PLOT = { width: 120, height: 70, left: 10, right: 10, top: 10, bottom: 10 };
const line = (...values: (number | null)[]) => ({ name: "Ada", values });

describe("a graph", () => {
  test("reaches from the start to the end, and from the lowest to the highest", () => {
    const { x, y } = scaleOf([line(0, 10)], 4, PLOT);
    expect([x(0), x(4)]).toEqual([10, 110]);
    expect([y(10), y(0)]).toEqual([10, 60]);
  });

  test("keeps to the range that it is given", () => {
    const { y, ticks } = scaleOf([line(0.4, 0.5)], 1, PLOT, [0, 1]);
    expect([y(1), y(0)]).toEqual([10, 60]);
    expect(ticks).toEqual([0, 0.5, 1]);
  });

  test("holds values below nothing, as of shared pegs", () => {
    const { y, ticks } = scaleOf([line(-7, 3)], 1, PLOT);
    expect(ticks[0]).toBeLessThanOrEqual(-7);
    expect(y(-7)).toBeLessThanOrEqual(60);
  });

  test("has round numbers at its side", () => {
    expect(ticksOf(0, 18)).toEqual([0, 5, 10, 15, 20]);
    expect(ticksOf(0, 1)).toEqual([0, 1]);
    expect(ticksOf(0, 97)).toEqual([0, 50, 100]);
  });

  test("breaks where nothing is known", () => {
    const scale = { x: (ply: number) => ply, y: (value: number) => value, ticks: [] };
    expect(pathOf(line(1, 2, null, 3), scale)).toBe("M0.0 1.0L1.0 2.0M3.0 3.0");
    expect(pathOf(line(null, null), scale)).toBe("");
  });

  test("leads back to the ply under a pointer, within the game", () => {
    expect([-50, 10, 36, 110, 500].map((x) => plyAt(x, 4, PLOT))).toEqual([0, 0, 1, 4, 4]);
  });

  test("tells the last value that is known", () => {
    expect([0, 1, 2, 9].map((ply) => valueAt(line(null, 4, null), ply))).toEqual([null, 4, 4, 4]);
  });

  test("gives every line its shape at other places", () => {
    const values = Array.from({ length: 40 }, (_, n) => n);
    const [first, second] = [0, 1].map((n) => stopsOf(line(...values), n, 2).map((stop) => stop.ply));
    expect(first?.length).toBeGreaterThan(2);
    expect(first?.filter((ply) => second?.includes(ply))).toEqual([]);
  });
});
