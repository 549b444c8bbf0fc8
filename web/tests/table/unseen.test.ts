import { expect, test } from "vitest";
import { unseen } from "../../src/lib/table/unseen";
import { CLASSIC } from "./board";

const place = (tile: string) => ({ type: "place", seat: 0, tile });
const HIDDEN = Array.from({ length: 6 }, () => "??");

test("at first all symbols are unseen but those on the own rack", () => {
  const own = ["RR", "RO", "YG", "YG", "BP", "BP"];
  expect(unseen(CLASSIC, { seats: 2, events: [], racks: [own, HIDDEN] })).toEqual([37, 39, 38, 38, 38, 38]);
  expect(unseen(CLASSIC, { seats: 2, events: [], racks: [HIDDEN, HIDDEN] })).toEqual([40, 40, 40, 40, 40, 40]);
});

test("what was laid was seen, also where something lies on it now; what was swapped is in the bag again", () => {
  const events = [place("RO"), { type: "draw", seat: 0, tiles: ["??"] }, place("RR"), { type: "swap", seat: 1, tiles: HIDDEN }];
  expect(unseen({ ...CLASSIC, stacking: true }, { seats: 2, events, racks: [["PP"], HIDDEN] })).toEqual([37, 39, 40, 40, 40, 38]);
});

test("together they are all tiles of the bag and of the others' racks", () => {
  const events = ["RO", "RR", "YG"].map(place);
  const racks = [["PP", "GB", "OO", "OO", "RY"], HIDDEN];
  const bag = 120 - 3 - 5 - 6;
  const counts = unseen(CLASSIC, { seats: 2, events, racks }) ?? [];
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2 * (bag + HIDDEN.length));
});

test("cards are not counted", () => {
  expect(unseen({ ...CLASSIC, board: false }, { seats: 2, events: [], racks: [] })).toBeNull();
});
