import { expect, test } from "vitest";
import { planOf } from "../../src/lib/table/plan";
import { linesFrom } from "../../src/lib/table/scene";
import { marksOf, seating } from "../../src/lib/table/seating";
import { hexagon } from "./board";

const board = hexagon(2);
const plan = planOf(board);
const middle = plan.middle;

function seenWith(pieces: Record<number, number>): { n: number; colour: number; half: number; height: number }[] {
  return board.cells.map((_, n) => ({ n, colour: pieces[n] ?? -1, half: -1, height: n in pieces ? 1 : 0 }));
}

test("lines run from a laid tile over matching symbols, and not over its other half", () => {
  const right = plan.around[middle]?.[0] ?? -1;
  const left = plan.around[middle]?.[3] ?? -1;
  const further = plan.around[left]?.[3] ?? -1;
  const seen = seenWith({ [middle]: 2, [right]: 2, [left]: 2, [further]: 2 });
  const rays = linesFrom({ cells: [middle, right], seat: 0, gain: [0, 0, 2, 0, 0, 0] }, seen, plan);
  expect(rays).toEqual([{ colour: 2, from: plan.points[middle], to: plan.points[further], points: 2 }]);
});

test("a colour that gained nothing has no lines", () => {
  const right = plan.around[middle]?.[0] ?? -1;
  const left = plan.around[middle]?.[3] ?? -1;
  const seen = seenWith({ [middle]: 2, [right]: 1, [left]: 2 });
  expect(linesFrom({ cells: [middle, right], seat: 0, gain: [0, 0, 0, 0, 0, 0] }, seen, plan)).toEqual([]);
});

test("each player has a mark: one's own, and the others in the order of play", () => {
  const side = (...seats: number[]) => ({ seats, eye: 0, markers: [], weakest: [], locked: [], blocked: [], shut: [] });
  const four = seating([side(0), side(1), side(2), side(3)], [1]);
  expect(marksOf(four).map(({ own, other }) => (own ? "own" : other))).toEqual([2, "own", 0, 1]);
  const teams = seating([side(0, 2), side(1, 3)], [0]);
  expect(marksOf(teams).map(({ own }) => own)).toEqual([true, false, true, false]);
  expect(marksOf(seating([side(0), side(1)], [])).map(({ own }) => own)).toEqual([true, false]);
});
