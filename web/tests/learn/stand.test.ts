import { describe, expect, it } from "vitest";
import { type Box, around, overlap, within } from "../../src/lib/learn/holes";
import { stand } from "../../src/lib/learn/stand";

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });
const nothing = { needed: [], dear: [], large: [] };
const sizes = [
  { width: 360, height: 160 },
  { width: 220, height: 280 },
];

describe("where the bubble stands", () => {
  it("beside what is lit, and points at it", () => {
    const lit = box(700, 100, 300, 260);
    const place = stand(sizes, { window: box(0, 0, 1440, 900), lit: [lit], ...nothing });
    expect(overlap(place, lit)).toBe(0);
    expect(place.width).toBe(360);
    expect(place.tip).not.toBeNull();
  });

  it("off what is needed as well", () => {
    const [board, rack] = [box(0, 150, 390, 360), box(0, 520, 390, 120)];
    const place = stand(sizes, { window: box(0, 0, 390, 844), lit: [board], needed: [rack], dear: [], large: [] });
    expect(overlap(place, board) + overlap(place, rack)).toBe(0);
  });

  it("narrower where there is no other room", () => {
    const board = box(235, 44, 370, 346);
    const place = stand(sizes, { window: box(0, 44, 844, 346), lit: [board], ...nothing });
    expect(place.width).toBe(220);
    expect(overlap(place, board)).toBe(0);
  });

  it("all of it on the screen", () => {
    const screen = box(0, 0, 360, 740);
    const place = stand([{ width: 340, height: 200 }], { window: screen, lit: [box(0, 0, 360, 120), box(300, 500, 60, 60)], ...nothing });
    expect(overlap(place, screen)).toBe(340 * 200);
  });
});

it("light around a move stays on the board", () => {
  const board = box(100, 100, 400, 380);
  for (const middle of [[100, 100], [300, 290], [520, 470]] as const) {
    const hole = within(middle, 120, board, true);
    expect(overlap(hole.box, board)).toBeCloseTo(hole.box.width * hole.box.height);
  }
  expect(around([box(0, 0, 10, 10), box(20, 5, 10, 10)])).toEqual(box(0, 0, 30, 15));
});
