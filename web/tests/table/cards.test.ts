import { describe, expect, it } from "vitest";
import { fan } from "../../src/lib/table/cards/fan";
import { ordersOf } from "../../src/lib/table/cards/orders";
import { lying } from "../../src/lib/table/cards/lying";

describe("a hand of cards", () => {
  it("is fanned by 4.7 degrees a card where there is room", () => {
    const { places, card } = fan(1000, 900, 6);
    expect(card).toBe(148);
    expect((places[1]?.angle ?? 0) - (places[0]?.angle ?? 0)).toBeCloseTo(4.7, 1);
    expect(places.map(({ x }) => Math.round(x) - 500)).toEqual(places.map(({ x }) => 500 - Math.round(x)).reverse());
  });

  it("is held tighter on a phone, and stays on the screen", () => {
    const { places, card, width } = fan(374, 844, 6);
    expect(places[0]?.x ?? 0).toBeGreaterThanOrEqual(card / 2);
    expect(places[5]?.x ?? 0).toBeLessThanOrEqual(width - card / 2);
    // The visible part of each is wide enough for a finger.
    expect((places[1]?.x ?? 0) - (places[0]?.x ?? 0)).toBeGreaterThan(44);
  });
});

describe("open cards", () => {
  it("go from the front and come at the end", () => {
    const first = lying([], ["RO", "RY"]);
    const played = lying(first, ["RO", "RY", "RO"]);
    expect(played.slice(0, 2)).toEqual(first);
    const ended = lying(played, ["RY", "RO"]);
    expect(ended).toEqual(played.slice(1));
  });
});

describe("the two orders of a card", () => {
  const t = (key: string): string => ({ "colour-0": "red", "colour-3": "green" })[key] ?? key;
  const told = (...gains: [number[], number[]]): string[] =>
    ordersOf(
      [
        { tile: "RG", gain: gains[0], bonus: 0 },
        { tile: "GR", gain: gains[1], bonus: 0 },
      ],
      [0, 1, 1, 3, 3, 1],
      t,
    ).map(({ words }) => words);

  it("say that the first clears the way for the second", () => {
    expect(told([1, 0, 0, 3, 0, 0], [1, 0, 0, 0, 0, 0])).toEqual([
      "Red first clears the way: green goes up to 6",
      "Green is held back at 3 until red is scored",
    ]);
  });

  it("say how far each colour goes where the order makes no difference", () => {
    expect(told([1, 0, 0, 2, 0, 0], [1, 0, 0, 2, 0, 0])[0]).toBe("Red up to 1 and green up to 5");
    expect(told([0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0])[0]).toBe("No points");
  });
});
