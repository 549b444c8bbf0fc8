import { expect, test } from "vitest";
import { ghostOf } from "../../src/lib/after/ghost";
import { Reel } from "../../src/lib/after/reel.svelte";
import { links, routeOf } from "../../src/lib/route.svelte";
import { moveText, partsOf, spotAt } from "../../src/lib/table/moves";
import { hexagon } from "../table/board";

const BOARD = hexagon(5);
const [first, second] = BOARD.pairs[0] as [number, number];
const MOVE = `RB@${BOARD.names[first]},${BOARD.names[second]}`;

test("a move in notation lies on the board where it says", () => {
  const ghost = ghostOf(BOARD, MOVE, [2, 0, 0, 0, 1, 0]);
  const spot = ghost && spotAt(ghost.spots, ghost.aim);
  expect([spot?.cell, spot?.other]).toEqual([first, second]);
  expect(spot && moveText(BOARD, "RB", spot)).toBe(MOVE);
  expect(ghost?.explained.gain).toEqual([2, 0, 0, 0, 1, 0]);
});

test("what lays nothing has no ghost", () => {
  for (const move of ["swap", "refill", "RB", "RB@zz,zy", ""]) expect(ghostOf(BOARD, move, [])).toBeNull();
  expect(partsOf(BOARD, "RB")).toEqual({ tile: "RB", aim: null, other: -1 });
});

test("a reel stays within its game, and begins where it is told", () => {
  const reel = new Reel(5, 3);
  expect(reel.ply).toBe(3);
  reel.step(1);
  expect([reel.ply, reel.forward]).toEqual([4, true]);
  reel.step(-9);
  expect([reel.ply, reel.forward]).toEqual([0, false]);
  reel.go(99);
  expect(reel.ply).toBe(5);
  expect(new Reel(5, 77).ply).toBe(5);
  expect(new Reel(5, null).ply).toBe(5);
});

test("every moment of a game has an address", () => {
  const game = { table: "a/b", number: 0, watch: "ABC" };
  const open = (link: string) => routeOf(link.split("?")[0] as string, `?${link.split("?")[1] ?? ""}`);
  expect(open(links.replay(game, { ply: 12, analysed: true }))).toEqual({
    page: "replay",
    game,
    moment: { ply: 12, analysed: true },
  });
  expect(open(links.replay(null))).toEqual({ page: "replay", game: null, moment: { ply: null, analysed: false } });
  for (const path of ["/replay/t", "/replay/t/x", "/replay/t/1/2"]) expect(routeOf(path).page).toBe("unknown");
  expect(routeOf("/replay/t/1", "?ply=-3")).toMatchObject({ moment: { ply: null } });
});
