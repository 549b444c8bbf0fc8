// All texts are in messages/*.json or come from the server: components contain none.

import { type AST, parse } from "svelte/compiler";
import { expect, test } from "vitest";

const components = import.meta.glob<string>("../src/**/*.svelte", { eager: true, query: "?raw", import: "default" });

/** Attributes that people read or hear. */
const READ = ["aria-label", "aria-description", "aria-roledescription", "alt", "title", "placeholder", "label"];
/** The same in every language: our name, and names of keys. */
const NAMES = ["Genial", "(Home)", "(End)"];
const WORD = /\p{L}{2,}/u;

/** Every text written directly in a component's markup. */
function texts(source: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) {
      node.forEach(visit);
      return;
    }
    const part = node as AST.SvelteNode;
    if (part.type === "Attribute") {
      if (READ.includes(part.name) && Array.isArray(part.value)) part.value.forEach(visit);
    } else if (part.type === "Text") found.push(part.data.trim());
    else if (part.type === "ExpressionTag" || part.type?.endsWith("Directive")) return;
    else Object.values(part).forEach(visit);
  };
  visit(parse(source, { modern: true }).fragment);
  return found.filter((text) => WORD.test(text) && !NAMES.includes(text));
}

test("the reader finds words where they stand", () => {
  expect(texts('<p class="big">Hello {name}</p><img alt="A board" src="x">')).toEqual(["Hello", "A board"]);
  expect(texts("<p>{m.hello()} · +</p><style>p { color: red }</style>")).toEqual([]);
});

test("no component holds words of its own", () => {
  expect(Object.keys(components).length).toBeGreaterThan(40);
  const outside = Object.entries(components)
    .filter(([path]) => !path.includes("/demo/"))
    .flatMap(([path, source]) => texts(source).map((text) => `${path}: ${text}`));
  expect(outside).toEqual([]);
});
