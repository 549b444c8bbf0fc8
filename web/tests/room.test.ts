// Scripts take their media queries from one place, and some style uses the same words.

import { expect, test } from "vitest";
import * as room from "../src/lib/look/room";

const sources = import.meta.glob<string>("../src/**/*.{svelte,ts}", { eager: true, query: "?raw", import: "default" });
const asked = /(?:MediaQuery|matchMedia)\(\s*["'`][^"'`]*(?:width|height)/;

test("no script asks in words of its own", () => {
  expect('new MediaQuery("(max-width: 900px)")').toMatch(asked);
  expect(Object.keys(sources).filter((path) => asked.test(sources[path] ?? ""))).toEqual([]);
});

test.each(Object.entries(room))("%s is asked by styles, too", (_, query) => {
  expect(Object.values(sources).some((source) => source.includes(`@media ${query} {`))).toBe(true);
});
