import { expect, test } from "vitest";
import type { EntryData, PlaceView } from "../../src/lib/api";
import { markAt, peopleOf } from "../../src/lib/table/people";

const place = (mark: string, name: string, more: Partial<PlaceView> = {}): PlaceView => ({
  kind: "person", name, bot: null, away: false, yours: false, host: false, seat: 0, mark, shares: [], covered: 0, ...more,
});
const said = (mark: string, name: string, more: Partial<EntryData> = {}): EntryData => ({ place: null, mark, name, text: "hm", ...more });

test("everybody else can be spoken of: players first, then spectators who spoke, each device once", () => {
  const table = {
    places: [
      place("a", "Ada", { yours: true }),
      place("b", "Ben"),
      place("b", "Bea"),
      place("", "greedy", { kind: "bot", bot: "greedy" }),
    ],
    chat: [said("a", "Ada", { place: 0 }), said("z", "Zoe"), said("b", "Ben", { place: 1 }), { hidden: true }, said("z", "Zed")],
    muted: ["z"],
  };
  expect(peopleOf(table, "a")).toEqual([
    { mark: "b", name: "Ben and Bea", place: 1, muted: false },
    { mark: "z", name: "Zed", place: null, muted: true },
  ]);
  expect(peopleOf(table, "z").map(({ mark }) => mark)).toEqual(["b"]);
});

test("a player has the same mark wherever they are named: one's own, or which of the others in the order of play", () => {
  const seats = (mine: number, count = 4) => Array.from({ length: count }, (_, n) => ({ yours: n === mine }));
  expect([0, 1, 2, 3].map((n) => markAt(seats(1), n))).toEqual([
    { own: false, other: 2 },
    { own: true, other: 0 },
    { own: false, other: 0 },
    { own: false, other: 1 },
  ]);
  // Partners share a mark; spectators are nobody's partners and have none.
  expect([0, 1, 2, 3].map((n) => markAt(seats(1), n, true)?.own)).toEqual([false, true, false, true]);
  expect([0, 1].map((n) => markAt(seats(-1, 2), n))).toEqual([{ own: false, other: 0 }, { own: false, other: 1 }]);
  expect(markAt(seats(0), null)).toBe(null);
});
