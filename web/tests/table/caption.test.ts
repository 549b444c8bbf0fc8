import { expect, test } from "vitest";
import { type Kept, placeCaption } from "../../src/lib/table/board/caption";

const SIZE = { width: 180, height: 54 };
const BOX = { width: 700, height: 600 };

function overlaps(x: number, y: number, { at, reach }: Kept): boolean {
  const dx = Math.max(x - at[0], 0, at[0] - x - SIZE.width);
  const dy = Math.max(y - at[1], 0, at[1] - y - SIZE.height);
  return Math.hypot(dx, dy) < reach;
}

test("words about a tile stay inside the board's box, wherever it is", () => {
  for (let x = 0; x <= BOX.width; x += 50)
    for (let y = 0; y <= BOX.height; y += 50) {
      const placed = placeCaption([x, y], SIZE, BOX, [], null);
      expect(placed.x).toBeGreaterThanOrEqual(0);
      expect(placed.y).toBeGreaterThanOrEqual(0);
      expect(placed.x + SIZE.width).toBeLessThanOrEqual(BOX.width);
      expect(placed.y + SIZE.height).toBeLessThanOrEqual(BOX.height);
    }
});

test("they keep off the tile and what lies around it, while there is room", () => {
  const ghost: Kept = { at: [350, 300], reach: 30, weight: 90 };
  const wall = [-120, -60, 0, 60, 120].map((dy): Kept => ({ at: [420, 300 + dy], reach: 26, weight: 12 }));
  const kept = [ghost, ...wall];
  const placed = placeCaption([350, 300], SIZE, BOX, kept, null);
  expect(kept.filter((one) => overlaps(placed.x, placed.y, one))).toEqual([]);
});

test("they point to the tile from the side that faces it", () => {
  const left = placeCaption([650, 300], SIZE, BOX, [{ at: [650, 300], reach: 40, weight: 90 }], null);
  expect(left.from[0]).toBeLessThanOrEqual(650);
  expect(Math.hypot(left.to[0] - 650, left.to[1] - 300)).toBeLessThan(Math.hypot(left.from[0] - 650, left.from[1] - 300));
});
