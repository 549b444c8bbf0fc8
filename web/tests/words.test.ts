import { expect, test } from "vitest";
import { rendered } from "../src/lib/words";

const WORDS = {
  points: ["{count} point", "{count} points"],
  "now-swap": "Nothing in your lowest colour ({colours}).",
  "colour-0": "red",
  "colour-4": "blue",
  "places-open": "Places still open: {places}.",
};

test("one and several", () => {
  expect(rendered(WORDS, "points", { count: 1 })).toBe("1 point");
  expect(rendered(WORDS, "points", { count: 0 })).toBe("0 points");
});

test("colours are named", () => {
  expect(rendered(WORDS, "now-swap", { colours: [0, 4] })).toBe("Nothing in your lowest colour (red, blue).");
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
