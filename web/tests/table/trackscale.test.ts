import { describe, expect, test } from "vitest";
import { climbing } from "../../src/lib/table/climb";
import { columns, keptApart, LOW, lowestOf, ropes, strip, strongest, waterLines } from "../../src/lib/table/trackscale";
import { CLASSIC, DUEL } from "./board";

const CARDS = { ...CLASSIC, board: false, track: [0, 10] as [number, number], bonus_steps: [10], line_steps: [0, 3, 6] };
const DOUBLE = { ...CLASSIC, solo: true, track: [0, 36] as [number, number], bonus_steps: [18, 36], line_steps: [18] };
const SPACE_ALONE = { ...DOUBLE, track: [0, 54] as [number, number], bonus_steps: [], line_steps: [27] };
const OURS = { ...CLASSIC, track: [0, 12] as [number, number], bonus_steps: [4, 12] };

describe("lanes", () => {
  test.each([CLASSIC, CARDS, DOUBLE, SPACE_ALONE, OURS])("of $track lie on the wood, whatever its size", (info) => {
    for (const [width, height] of [[340, 540], [280, 430], [200, 300]] as const)
      for (const found of [columns(info, width, height, info.solo), strip(info, width, info.solo)]) {
        expect(found.at(info.track[0])).toBeGreaterThan(found.at(info.track[1]));
        expect(found.at(info.track[1])).toBeGreaterThan(found.top);
        expect(found.at(info.track[0])).toBeLessThan(found.bottom);
        expect(found.bottom).toBeLessThan(Math.max(height, LOW));
        const ends = found.lanes.flatMap(({ wide, narrow }) => [wide, ...(narrow ? [narrow] : [])]);
        ends.forEach(({ at, width: across }, n) => {
          expect(at).toBeGreaterThan(0);
          expect(at + across).toBeLessThan(ends[n + 1]?.at ?? width);
        });
      }
  });

  test("are one groove a colour for who plays alone", () => {
    expect(columns(DOUBLE, 340, 540, true).lanes.every(({ narrow }) => narrow === null)).toBe(true);
    expect(columns(CLASSIC, 340, 540, false).lanes.every(({ narrow }) => narrow !== null)).toBe(true);
  });

  test("have the bonus places, the ends of a stretch and the numbers that the server's title has", () => {
    const found = columns(OURS, 340, 540, false);
    expect(found.bonus).toEqual([4, 12]);
    expect(found.numbered).toEqual([0, 4, 6, 12]);
    expect(columns(DOUBLE, 340, 540, true).lines).toEqual([columns(DOUBLE, 340, 540, true).at(18)]);
  });

  test("of the card game are parted between two places", () => {
    const found = columns(CARDS, 340, 540, false);
    expect(found.lines).toEqual([0.5, 3.5, 6.5].map((place) => found.at(place)));
  });

  test("leave out numbers and pegs that would lie too close", () => {
    const low = columns(SPACE_ALONE, 200, 230, true);
    const gaps = low.numbered.slice(1).map((place, n) => low.at(low.numbered[n] ?? 0) - low.at(place));
    expect(Math.min(...gaps)).toBeGreaterThan(9);
    expect(low.pegs.every(({ place }) => place % 3 === 0)).toBe(true);
    expect(columns(CLASSIC, 340, 540, false).pegs).toHaveLength(18);
  });
});

describe("ropes", () => {
  test("start in the middle and are best for who looks at the left end", () => {
    const found = ropes(DUEL, 340, 440, false);
    expect(found.at(0)).toBeCloseTo(found.length / 2);
    expect(found.at(9)).toBeLessThan(found.at(-9));
    expect(found.lines).toEqual([found.at(0)]);
  });

  test("lie below each other, or three in a row on a phone", () => {
    expect(new Set(ropes(DUEL, 340, 440, false).rows.map(({ middle }) => middle)).size).toBe(6);
    const low = ropes(DUEL, 344, LOW, true);
    expect(new Set(low.rows.map(({ middle }) => middle)).size).toBe(2);
    for (const { left } of low.rows) expect(left + low.length).toBeLessThan(344);
  });
});

describe("sides", () => {
  const side = (...markers: number[]) => ({ markers, weakest: [markers.indexOf(Math.min(...markers))] });

  test("are as strong as their lowest marker, then the next", () => {
    const [weak, ahead, next] = [side(0, 18, 18, 18, 18, 18), side(3, 3, 9, 3, 3, 3), side(3, 3, 4, 4, 3, 3)];
    expect(strongest([weak, ahead, next])).toBe(next);
    expect(strongest([ahead, { ...ahead }])).toBe(ahead);
    expect(strongest([])).toBeNull();
    expect(lowestOf(weak)).toBe(0);
  });
});

describe("water lines", () => {
  test("lie side by side where both would be at one place", () => {
    expect(waterLines(100, 140)).toEqual([100, 140]);
    expect(waterLines(100, null)).toEqual([100, null]);
    expect(waterLines(100, 100)).toEqual([97.5, 102.5]);
    expect(waterLines(102, 100)).toEqual([103.5, 98.5]);
  });

  test("move after the last marker, and within the time that a placement is told", () => {
    const [, climbed] = climbing(18);
    const [begin, end] = climbing(3, 18);
    expect(begin).toBeCloseTo(climbed);
    expect(end).toBeLessThan(1);
  });
});

describe("pennants", () => {
  const apart = (found: number[], gap: number): boolean =>
    found.toSorted((a, b) => a - b).every((at, n, all) => n === 0 || at - (all[n - 1] ?? 0) >= gap - 1e-9);

  test("stay where they are if they have room", () => {
    expect(keptApart([50, 100, 20], 25, 0, 200)).toEqual([50, 100, 20]);
    expect(keptApart([], 25, 0, 200)).toEqual([]);
  });

  test("that would cover each other are kept apart around the one whose line is drawn", () => {
    expect(keptApart([50, 55, 45], 25, 0, 200)).toEqual([50, 75, 25]);
    expect(keptApart([50, 50, 50], 25, 0, 200)).toEqual([50, 75, 100]);
  });

  test("never leave the wood", () => {
    for (const wanted of [[200, 200, 200], [0, 0, 0], [195, 200, 190], [3, 1, 2]]) {
      const found = keptApart(wanted, 25, 0, 200);
      expect(apart(found, 25)).toBe(true);
      expect(Math.min(...found)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...found)).toBeLessThanOrEqual(200);
    }
  });
});
