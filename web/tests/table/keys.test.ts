import { describe, expect, test } from "vitest";
import { GridKeys } from "../../src/lib/table/board/gridkeys";
import { listed } from "../../src/lib/table/keylist";
import { type Deed, KEYS, asks } from "../../src/lib/table/keys";
import { planOf } from "../../src/lib/table/plan";
import type { Play } from "../../src/lib/table/play.svelte";
import { shortcut } from "../../src/lib/table/shortcuts";
import { hexagon } from "./board";

/** The keys of a keyboard. */
const ALL = [
  ..."abcdefghijklmnopqrstuvwxyz0123456789 ?!+-.,/",
  ...["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"],
  ...["Enter", "Escape", "Tab", "Backspace", "Delete", "Insert"],
  ...Array.from({ length: 12 }, (_, n) => `F${n + 1}`),
];

const press = (key: string, more: Partial<KeyboardEvent> = {}): KeyboardEvent => ({ key, target: null, ...more }) as KeyboardEvent;

/** The deeds that a key leads to at a table where every deed with a key is possible. */
function done(key: string, more: Partial<KeyboardEvent> = {}, board = true): string[] {
  const deeds: string[] = [];
  const choice = { heat: false };
  const play = {
    ...{ rack: ["RR", "RO", "RY", "RG", "RB", "RP"], tile: "RR", info: { board, rack: 6 }, ending: true, table: { back: true }, choice },
    end: (how: string) => deeds.push(how),
    back: () => deeds.push("back"),
    putBack: () => deeds.push("put back"),
  } as unknown as Play;
  const choose = (n: number): unknown => deeds.push(`choose ${n}`);
  const turn = (by: number): unknown => deeds.push(`turn ${by}`);
  const isHeard = shortcut(press(key, more), play, { choose, turn });
  if (choice.heat) deeds.push("heat");
  expect(isHeard).toBe(deeds.length > 0);
  return deeds;
}

describe("the keys of the table", () => {
  test("do what is listed, and no other key does anything", () => {
    const anywhere: Deed[] = ["take", "turn", "heat", "end", "swap", "back", "putBack"];
    const heard = ALL.filter((key) => done(key).length);
    expect(new Set(heard)).toEqual(new Set(anywhere.flatMap((deed) => [...KEYS[deed]])));
    expect(["3", "r", "h", "e", "s", "u", "Escape"].flatMap((key) => done(key))).toEqual([
      ...["choose 2", "turn 1", "heat", "refill", "swap", "back", "put back"],
    ]);
    expect(done("R", { shiftKey: true })).toEqual(["turn -1"]);
    expect(ALL.flatMap((key) => done(key, { ctrlKey: true }))).toEqual([]);
  });

  test("leave H to hints where there is no board, or with Shift", () => {
    expect(done("h", {}, false)).toEqual([]);
    expect(done("H", { shiftKey: true })).toEqual([]);
    expect(asks(press("H", { shiftKey: true }), "hint")).toBe(true);
  });

  test("on the board are those that lead somewhere", () => {
    const board = hexagon(2);
    const keys = new GridKeys(
      () => planOf(board),
      () => true,
    );
    const leading = ALL.filter((key) => keys.target(key, 0) !== null);
    expect(new Set(leading)).toEqual(new Set([...KEYS.walk, ...KEYS.next]));
  });

  test("are all listed, where they work", () => {
    const deeds = (given: Parameters<typeof listed>[0]): Deed[] => listed(given).map(({ deed }) => deed);
    expect(new Set(deeds({ board: true, rack: 6, hints: true }))).toEqual(new Set(Object.keys(KEYS)));
    expect(deeds({ board: true, rack: 6, hints: false })).not.toContain("hint");
    const cards = deeds({ board: false, rack: 5, hints: true });
    for (const deed of ["walk", "next", "heat"] as const) expect(cards).not.toContain(deed);
    const keys = listed({ board: false, rack: 5, hints: true }).map((line) => line.keys);
    expect(keys).toContain("1 – 5");
    expect(new Set(keys).size).toBe(keys.length);
  });
});
