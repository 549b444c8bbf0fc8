import { describe, expect, test } from "vitest";
import { routeOf } from "../src/lib/route.svelte";
import { linked } from "../src/lib/rules";
import { type Where, addressOf, pageOf, whereOf } from "../src/lib/where";

const script = (folder: string): string => `https://genial.example${folder}assets/index-1a2b.js`;
const at = (address: string): URL => new URL(address, "https://genial.example");
const PAGES = ["/", "/games", "/table/a%2Fb?watch=A%26B", "/rules/classic#goal", "/replay/t/0?ply=3&analysis=1", "/#friends"];

/** To the address of a page and back. */
function round(page: string, where: Where): string {
  const url = at(addressOf(page, where));
  const [path, query] = pageOf(url, where) ?? ["", ""];
  return path + (query && `?${query}`) + url.hash;
}

describe("where the app stands", () => {
  test("a server's tables have addresses of their own, in any folder", () => {
    for (const folder of ["/", "/genial/"]) {
      const where = whereOf(script(folder), `${folder}table/abc`, false);
      expect(where).toEqual({ folder, here: false, start: folder });
      expect(addressOf("/table/abc", where)).toBe(`${folder}table/abc`);
      for (const page of PAGES) expect(round(page, where)).toBe(page);
    }
  });

  test("where nobody serves tables, every page is the first one with a query: a server of files finds it again", () => {
    for (const folder of ["/", "/games/genial/"]) {
      const where = whereOf(script(folder), folder, true);
      expect(addressOf("/table/abc", where)).toBe(`${folder}?/table/abc`);
      for (const page of PAGES) {
        expect(at(addressOf(page, where)).pathname).toBe(folder);
        expect(round(page, where)).toBe(page);
      }
      expect(pageOf(at(`${folder}index.html?/games`), where)).toEqual(["/games", ""]);
    }
  });

  test("a server's app has one page whose tables are in this browser", () => {
    const where = whereOf(script("/"), "/here/", false);
    expect(where).toEqual({ folder: "/", here: true, start: "/here/" });
    expect(addressOf("/new/3d?mode=pass", where)).toBe("/here/?/new/3d&mode=pass");
    for (const page of PAGES) expect(round(page, where)).toBe(page);
    expect(routeOf(...(pageOf(at("/here/?/new/3d&mode=pass"), where) ?? ["", ""]))).toMatchObject({ page: "new", mode: "pass" });
  });

  test("what is not a page of this app is none", () => {
    const server = whereOf(script("/"), "/", false);
    for (const address of ["/api/openapi.json", "/here/", "/here/?/games"]) expect(pageOf(at(address), server)).toBeNull();
    const here = whereOf(script("/"), "/here/", false);
    for (const address of ["/", "/games", "/api/hello"]) expect(pageOf(at(address), here)).toBeNull();
    expect(pageOf(at("/"), whereOf(script("/genial/"), "/genial/", false))).toBeNull();
  });
});

test("links between pages of rules stay in the app", () => {
  const where = whereOf(script("/genial/"), "/genial/", true);
  const html = '<a href="/rules/3d#goal">3D</a> <a href="#end">End</a> <a href="https://example.org/">x</a>';
  expect(linked(html, (page) => addressOf(page, where))).toBe(
    '<a href="/genial/?/rules/3d#goal">3D</a> <a href="#end">End</a> <a href="https://example.org/">x</a>',
  );
});
