import { expect, test } from "vitest";

const found = import.meta.glob<Record<string, unknown>>("../messages/*.json", { eager: true, import: "default" });
const messages = (language: string): Record<string, unknown> => found[`../messages/${language}.json`] ?? {};
const params = (message: unknown): string[] => [
  ...new Set([...JSON.stringify(message).matchAll(/\{(\w+)\}/g)].map((found) => found[1] as string)),
].sort();

const sources = Object.entries(
  import.meta.glob<string>("../src/**/*.{svelte,ts}", { eager: true, query: "?raw", import: "default" }),
)
  .filter(([path]) => !path.includes("/paraglide/"))
  .map(([, text]) => text)
  .join("\n");

test("all languages say the same things", () => {
  const english = messages("en");
  expect(Object.keys(english).length).toBeGreaterThan(100);
  for (const language of ["de", "nl"]) {
    const other = messages(language);
    expect(Object.keys(other)).toEqual(Object.keys(english));
    for (const [key, message] of Object.entries(english)) expect(params(other[key]), key).toEqual(params(message));
  }
});

test("nothing is said that is not translated", () => {
  const said = [...sources.matchAll(/\bm\.([a-z]\w*)/g)].map((found) => found[1] as string);
  expect(said.length).toBeGreaterThan(100);
  expect(said.filter((key) => !(key in messages("en")))).toEqual([]);
});

test("nothing is translated that nobody says", () => {
  const said = new Set([...sources.matchAll(/\bm\.([a-z]\w*)/g)].map((found) => found[1]));
  expect(Object.keys(messages("en")).filter((key) => !said.has(key))).toEqual([]);
});
