import { expect, test } from "vitest";
import { exchanged, inRack, settled, sorted } from "../../src/lib/table/slots";

const FULL = ["RO", "YY", "GB", "RO", "PP", "YB"];

test("a rack fills the recesses in its order", () => {
  expect(settled([], FULL, 6)).toEqual(FULL);
  expect(settled([], ["RO"], 6)).toEqual(["RO", null, null, null, null, null]);
});

test("a tile that is gone leaves its recess empty, and the others where they are", () => {
  const after = settled(FULL, ["RO", "YY", "RO", "PP", "YB"], 6);
  expect(after).toEqual(["RO", "YY", null, "RO", "PP", "YB"]);
});

test("what is drawn fills the empty recess, in whatever order the server tells the rack", () => {
  const before = ["RO", null, "GB", "RO", "PP", "YB"];
  expect(settled(before, ["GB", "OO", "PP", "RO", "RO", "YB"], 6)).toEqual(["RO", "OO", "GB", "RO", "PP", "YB"]);
});

test("of two alike one stays when the other is gone", () => {
  const after = settled(FULL, ["YY", "GB", "RO", "PP", "YB"], 6);
  expect(after.filter((tile) => tile === "RO")).toHaveLength(1);
  expect(after.indexOf(null)).toBe(3);
});

test("of two alike the one that was taken is gone", () => {
  const after = settled(FULL, ["YY", "GB", "RO", "PP", "YB"], 6, 0);
  expect(after).toEqual([null, "YY", "GB", "RO", "PP", "YB"]);
  expect(settled(FULL, FULL, 6, 0)).toBe(FULL);
});

test("who has fewer tiles than recesses keeps them apart; who has more finds room", () => {
  const few = settled(["RO", null, null, "PP", null, null], ["PP", "RO"], 6);
  expect(few).toEqual(["RO", null, null, "PP", null, null]);
  expect(settled([], [...FULL, "OP"], 6)).toHaveLength(7);
});

test("what did not change is the very same", () => {
  const before = settled([], FULL, 6);
  expect(settled(before, [...FULL].reverse(), 6)).toBe(before);
});

test("every recess knows its tile in the server's rack, each tile once", () => {
  expect(inRack(["RO", null, "RO", "PP"], ["PP", "RO", "RO"])).toEqual([1, null, 2, 0]);
});

test("tiles change places, with each other or with nothing", () => {
  expect(exchanged(["RO", "YY", null], 0, 1)).toEqual(["YY", "RO", null]);
  expect(exchanged(["RO", "YY", null], 0, 2)).toEqual([null, "YY", "RO"]);
});

test("sorted by colour, whichever way round they are spelled; the empty ones last", () => {
  expect(sorted(["PP", null, "BR", "GG", "RO", null])).toEqual(["RO", "BR", "GG", "PP", null, null]);
});
