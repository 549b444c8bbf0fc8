import { describe, expect, test } from "vitest";
import type { SideView } from "../../src/lib/api";
import { hasOthers, lastMoves, namesOf, seating, sideName } from "../../src/lib/table/seating";

const NAMES = ["Anna", "Bert", "Carla", "Dirk"].map((name) => ({ name }));

function side(...seats: number[]): SideView {
  return { seats, eye: seats[0] ?? 0, markers: [0, 0, 0, 0, 0, 0], weakest: [], locked: [], blocked: [], shut: [] };
}

test("bots and one's own places are nobody to talk to", () => {
  const [me, bot, person, open] = [
    { kind: "person", yours: true },
    { kind: "bot", yours: false },
    { kind: "person", yours: false },
    { kind: "open", yours: false },
  ];
  expect(hasOthers([me, bot, bot])).toBe(false);
  expect(hasOthers([me, me])).toBe(false);
  expect(hasOthers([me, bot, person])).toBe(true);
  expect(hasOthers([me, open])).toBe(true);
});

describe("sides", () => {
  test("come in the order of play, the viewer's own last", () => {
    const found = seating([side(0), side(1), side(2)], [1]);
    expect(found.others.map(({ seats }) => seats)).toEqual([[2], [0]]);
    expect(found.mine?.seats).toEqual([1]);
    expect(found.sides.map(({ own }) => own)).toEqual([false, false, true]);
  });

  test("of teams hold both partners", () => {
    const found = seating([side(0, 2), side(1, 3)], [2]);
    expect(found.mine?.seats).toEqual([0, 2]);
    expect(sideName(side(0, 2), namesOf([0, 1, 2, 3], NAMES))).toBe("Anna and Carla");
  });

  test("are all others to a spectator", () => {
    const found = seating([side(0), side(1)], []);
    expect(found.mine).toBeNull();
    expect(found.others).toHaveLength(2);
  });

  test("that did not change are the very same", () => {
    const [first, second] = [side(0), side(1)];
    const before = seating([first, second], [0]);
    const after = seating([{ ...first }, second], [0]);
    expect(after.mine).not.toBe(before.mine);
    expect(after.others[0]).toBe(before.others[0]);
    expect(seating([first, second], [1]).mine).toEqual({ ...second, own: true });
  });
});

test("names follow the places, and who has none is numbered", () => {
  expect(namesOf([1, 0], [{ name: "" }, { name: "Bert" }])).toEqual(["Bert", "Player 2"]);
});

test("the last moves are those of one turn", () => {
  const place = (seat: number, tile: string) => ({ type: "place", seat, tile });
  const events = [place(0, "RR"), { type: "draw", seat: 0 }, place(1, "OO"), place(1, "YY"), { type: "draw", seat: 1 }];
  expect(lastMoves(events).map((event) => event.tile)).toEqual(["OO", "YY"]);
  expect(lastMoves([{ type: "deal", seat: 0 }])).toEqual([]);
});
