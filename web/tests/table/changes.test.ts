import { afterEach, expect, test } from "vitest";
import { changeWords } from "../../src/lib/table/changes";
import { rendered } from "../../src/lib/words";
import { overwriteGetLocale } from "../../src/paraglide/runtime.js";

const NAMES = {
  en: ["red", "orange", "yellow", "green", "blue", "purple"],
  de: ["Rot", "Orange", "Gelb", "Grün", "Blau", "Lila"],
  nl: ["rood", "oranje", "geel", "groen", "blauw", "paars"],
};
const side = { markers: [7, 5, 6, 9, 7, 4], weakest: [5] };
const gain = (...pairs: [colour: number, points: number][]): number[] => pairs.reduce((all, [colour, points]) => all.with(colour, points), [0, 0, 0, 0, 0, 0]);

function told(moved: number[], bonus = 0, language: keyof typeof NAMES = "en", of: typeof side | null = side): string {
  overwriteGetLocale(() => language);
  const words = Object.fromEntries(NAMES[language].map((name, colour) => [`colour-${colour}`, name]));
  return changeWords({ gain: moved, count: 0, bonus }, of, (code, params) => rendered(words, code, params));
}
afterEach(() => overwriteGetLocale(() => "en"));

test("which colours grow, and what stays the lowest", () => {
  expect(told(gain([3, 4], [4, 4]))).toBe("Green and blue grow by 4 each. Purple stays your lowest colour.");
  expect(told(gain([3, 1], [0, 3]))).toBe("Red grows by 3, green by 1. Purple stays your lowest colour.");
  expect(told(gain([2, 2]))).toBe("Yellow grows by 2. Purple stays your lowest colour.");
  expect(told(gain())).toBe("This scores nothing. Purple stays your lowest colour.");
});

test("what the lowest will be where it grows", () => {
  expect(told(gain([5, 3]))).toBe("Purple grows by 3. Your lowest colour will be orange, at 5.");
  expect(told(gain([5, 1]))).toBe("Purple grows by 1. Your lowest colours will be orange and purple, at 5.");
});

test("a bonus move is more than what is lowest", () => {
  expect(told(gain([3, 9]), 1)).toBe("Green grows by 9. And you get a bonus move!");
});

test("where many are lowest, or nobody has colours of their own, they are not named", () => {
  expect(told(gain([0, 1]), 0, "en", { markers: [0, 0, 0, 0, 0, 0], weakest: [0, 1, 2, 3, 4, 5] })).toBe("Red grows by 1.");
  expect(told(gain([0, 1]), 0, "en", null)).toBe("Red grows by 1.");
});

test("in German and Dutch as one says it there", () => {
  expect(told(gain([3, 4], [4, 4]), 0, "de")).toBe("Grün und Blau wachsen um je 4. Lila bleibt deine schwächste Farbe.");
  expect(told(gain([5, 1]), 0, "de")).toBe("Lila wächst um 1. Deine schwächsten Farben sind dann Orange und Lila mit je 5.");
  expect(told(gain([3, 4], [0, 2]), 0, "nl")).toBe("Groen groeit met 4, rood met 2. Paars blijft je laagste kleur.");
});
