import { expect, test } from "vitest";
import type { Catalogue } from "../src/lib/api";
import { rendered } from "../src/lib/words";

const WORDS: Catalogue["messages"] = {
  points: ["{count} point", "{count} points"],
  "now-swap": "Nothing in your lowest colour ({colours:and}).",
  "move-bonus": ["{points} and a bonus move", "{points} and {count} bonus moves"],
  "rate-limit": ["{seconds} second", "{seconds} seconds"],
  "seats-unknown": "Choose {expected:or}.",
  "cells-apart": "{cells:and} are apart.",
  "colour-2": "yellow",
  "move-complete": "That scores {points}.",
  wait: ["Try again in {seconds} second.", "Try again in {seconds} seconds."],
  "colour-0": "red",
  "colour-3": "green",
  "colour-4": "blue",
  "places-open": "Places still open: {places}.",
};

test("one and several", () => {
  expect(rendered(WORDS, "points", { count: 1 })).toBe("1 point");
  expect(rendered(WORDS, "points", { count: 0 })).toBe("0 points");
});

test("time is counted, and points beside bonus moves", () => {
  expect(rendered(WORDS, "rate-limit", { seconds: 1 })).toBe("1 second");
  expect(rendered(WORDS, "rate-limit", { seconds: 5 })).toBe("5 seconds");
  expect(rendered(WORDS, "move-bonus", { points: 3, count: 1 })).toBe("3 points and a bonus move");
  expect(rendered(WORDS, "move-bonus", { points: 1, count: 2 })).toBe("1 point and 2 bonus moves");
});

test("colours are named", () => {
  expect(rendered(WORDS, "now-swap", { colours: [0] })).toBe("Nothing in your lowest colour (red).");
  expect(rendered(WORDS, "now-swap", { colours: [0, 2, 4] })).toBe(
    "Nothing in your lowest colour (red, yellow and blue).",
  );
});

test("lists end as the sentence wants", () => {
  expect(rendered(WORDS, "seats-unknown", { expected: [2, 3, 4] })).toBe("Choose 2, 3 or 4.");
  expect(rendered(WORDS, "cells-apart", { cells: [[0, 0], [0, 2]] })).toBe("(0, 0) and (0, 2) are apart.");
});

test("colours are named in the reader's language, the last after and", () => {
  const colours = [0, 3, 4];
  expect(rendered(WORDS, "now-swap", { colours })).toBe("Nothing in your lowest colour (red, green and blue).");
  expect(rendered(WORDS, "now-swap", { colours }, "nl")).toContain("(red, green en blue)");
});

test("points and seconds are counted too", () => {
  expect(rendered(WORDS, "move-complete", { points: 1 })).toBe("That scores 1 point.");
  expect(rendered(WORDS, "wait", { seconds: 1 })).toBe("Try again in 1 second.");
});

test("lists are joined, and what is long is cut", () => {
  expect(rendered(WORDS, "places-open", { places: [2, 3] })).toBe("Places still open: 2, 3.");
  expect(rendered(WORDS, "places-open", { places: "x".repeat(500) })).toHaveLength(141);
});

test("what is not known stays visible", () => {
  expect(rendered(WORDS, "new-code", { a: 1 })).toBe("new-code");
  expect(rendered(WORDS, "points", {})).toBe("{count} points");
});

test("a parameter is text, whatever it looks like", () => {
  expect(rendered(WORDS, "places-open", { places: "{count}$&" })).toBe("Places still open: {count}$&.");
});

test("codes are said in words, and what is none of ours stays as it is", () => {
  const words = { ...WORDS, "end-early": "It ends with “{reason:ending}”.", "ending-board-full": "no room on the board" };
  expect(rendered(words, "end-early", { reason: "board-full" })).toBe("It ends with “no room on the board”.");
  expect(rendered(words, "end-early", { reason: "boredom" })).toBe("It ends with “boredom”.");
});
