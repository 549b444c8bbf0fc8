import { expect, test } from "vitest";
import { GridKeys } from "../../src/lib/table/board/gridkeys";
import { hiding, parseBoard } from "../../src/lib/table/parse";
import { planOf } from "../../src/lib/table/plan";
import { hexagon } from "./board";

const board = hexagon(2);
const cell = (name: string): number => board.names.indexOf(name);

function walk(from: string, pressed: string[], permitted: string[] = []): string | undefined {
  const keys = new GridKeys(
    () => planOf(board),
    (n) => permitted.includes(board.names[n] ?? ""),
  );
  let current = cell(from);
  for (const key of pressed) {
    const next = keys.target(key, current);
    if (next !== null && next >= 0) {
      keys.arrived(next);
      current = next;
    }
  }
  return board.names[current];
}

test("arrows go along rows and end at the rim", () => {
  expect(walk("c3", ["ArrowRight", "ArrowRight", "ArrowRight"])).toBe("c5");
  expect(walk("c3", ["ArrowLeft"])).toBe("c2");
  expect(walk("c3", ["Home"])).toBe("c1");
  expect(walk("c3", ["End"])).toBe("c5");
});

test("up and down come back to where they began", () => {
  expect(walk("c3", ["ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown"])).toBe("c3");
  expect(walk("a1", ["ArrowUp"])).toBe("a1");
});

test("page keys go round the permitted cells in reading order", () => {
  expect(walk("c3", ["PageDown"], ["a2", "d1"])).toBe("d1");
  expect(walk("c3", ["PageDown", "PageDown"], ["a2", "d1"])).toBe("a2");
  expect(walk("c3", ["PageUp"], ["a2", "d1"])).toBe("a2");
});

test("other keys lead nowhere", () => {
  expect(new GridKeys(() => planOf(board), () => false).target("x", 0)).toBeNull();
});

test("a placement that is not shown yet leaves its cells free", () => {
  const seen = parseBoard(".../R0B3../.Y0G3../..../...", board);
  const hidden = hiding(seen, [cell("b1"), cell("b2")]);
  expect(hidden[cell("b1")]?.height).toBe(0);
  expect(hidden[cell("c2")]).toBe(seen[cell("c2")]);
  expect(hiding(seen, [])).toBe(seen);
});
