import { describe, expect, test } from "vitest";
import { AMONG_PEOPLE, MOMENT, aloneWithBots, endsAfter } from "../../src/lib/table/autoend";

const me = { kind: "person", yours: true };
const bot = { kind: "bot", yours: false };
const other = { kind: "person", yours: false };
const open = { kind: "open", yours: false };

describe("alone with bots", () => {
  test("is who plays with bots only, or by oneself", () => {
    expect(aloneWithBots({ places: [bot, me, bot], watching: 0 })).toBe(true);
    expect(aloneWithBots({ places: [me], watching: 0 })).toBe(true);
  });

  test("is nobody who is watched, or plays with people, also such as may still come or share the device", () => {
    expect(aloneWithBots({ places: [me, bot], watching: 1 })).toBe(false);
    expect(aloneWithBots({ places: [me, other], watching: 0 })).toBe(false);
    expect(aloneWithBots({ places: [me, open], watching: 0 })).toBe(false);
    expect(aloneWithBots({ places: [me, me], watching: 0 })).toBe(false);
    expect(aloneWithBots({ places: [bot, bot], watching: 0 })).toBe(false);
  });
});

describe("a turn ends by itself", () => {
  test("alone with bots, after a moment, unless a swap is open or it is not wished", () => {
    for (const wish of [null, true]) {
      expect(endsAfter(wish, true, false)).toBe(MOMENT);
      expect(endsAfter(wish, true, true)).toBeNull();
    }
    expect(endsAfter(false, true, false)).toBeNull();
  });

  test("among people only where it is wished, and after the same time whether a swap is open or not", () => {
    for (const swap of [true, false]) {
      expect(endsAfter(null, false, swap)).toBeNull();
      expect(endsAfter(false, false, swap)).toBeNull();
      expect(endsAfter(true, false, swap)).toBe(AMONG_PEOPLE);
    }
  });
});
