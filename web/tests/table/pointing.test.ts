import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Pointing } from "../../src/lib/table/board/pointing.svelte";
import { Zoom } from "../../src/lib/table/board/zoom.svelte";

let frames: (() => void)[];

beforeEach(() => {
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (work: () => void) => frames.push(work));
  vi.stubGlobal("cancelAnimationFrame", (id: number) => (frames[id - 1] = () => undefined));
});
afterEach(() => void vi.unstubAllGlobals());

/** Pointers over a board that records what is aimed at. */
function pointing(): { pointing: Pointing; aimed: string[] } {
  const aimed: string[] = [];
  const found = new Pointing({
    zoom: new Zoom(() => ({ width: 100, height: 100 })),
    pointAt: (x, y) => [x, y],
    aimFrom: (x, y) => (aimed.push(`${x},${y}`), null),
    takeFocus: () => undefined,
    isChoosing: () => true,
    aim: () => null,
    onTurn: () => undefined,
  });
  return { pointing: found, aimed };
}

function report(clientX: number, clientY: number, pointerType = "mouse"): PointerEvent {
  return { clientX, clientY, pointerType, pointerId: 1 } as PointerEvent;
}

test("only the last report of a frame counts", () => {
  const { pointing: mouse, aimed } = pointing();
  mouse.move(report(1, 1));
  mouse.move(report(2, 2));
  expect(aimed).toEqual([]);
  frames.forEach((frame) => frame());
  expect(aimed).toEqual(["2,2"]);
});

test("a press before the next frame aims where the pointer is", () => {
  const { pointing: mouse, aimed } = pointing();
  mouse.move(report(1, 1));
  mouse.settle();
  expect(aimed).toEqual(["1,1"]);
  frames.forEach((frame) => frame());
  mouse.settle();
  expect(aimed).toEqual(["1,1"]);
});

test("a lifted finger aims where it was last", () => {
  const { pointing: finger, aimed } = pointing();
  finger.down(report(1, 1, "touch"));
  finger.move(report(5, 5, "touch"));
  finger.up(report(5, 5, "touch"));
  frames.forEach((frame) => frame());
  expect(aimed).toEqual(["1,1", "5,5"]);
});

test("what was used last is known", () => {
  const { pointing: used } = pointing();
  used.down(report(1, 1, "touch"));
  expect(used.hand).toBe("touch");
  used.move(report(2, 2));
  expect(used.hand).toBe("mouse");
});
