import { describe, expect, test } from "vitest";
import { address } from "../src/lib/net/http";
import { readKept, spoken } from "../src/lib/prefs.svelte";
import { links, routeOf } from "../src/lib/route.svelte";
import { hintsAtFirst, placesOf } from "../src/lib/wish";

describe("addresses", () => {
  test("every link leads to its page", () => {
    expect(routeOf("/")).toEqual({ page: "start" });
    expect(routeOf(links.games)).toEqual({ page: "games" });
    expect(routeOf("/new/3d", "?mode=pass")).toEqual({ page: "new", variant: "3d", mode: "pass" });
    expect(routeOf(links.table("a/b"))).toEqual({ page: "table", id: "a/b", watch: null });
    expect(routeOf(links.join("QX ZRT"))).toEqual({ page: "join", code: "QX ZRT" });
    const [path, search] = links.watch("t1", "ABC").split("?");
    expect(routeOf(path as string, `?${search}`)).toEqual({ page: "table", id: "t1", watch: "ABC" });
  });

  test("an unknown address isn't a page", () => {
    for (const path of ["/tables", "/table", "/table/a/b", "/join/"]) expect(routeOf(path).page).toBe("unknown");
    expect(routeOf("/join/%E0%A4%A")).toEqual({ page: "join", code: "%E0%A4%A" });
  });

  test("calls of the API", () => {
    expect(address("/api/tables/{table}", { table: "a/b" }, { watch: null, place: 0 })).toBe("/api/tables/a%2Fb?place=0");
    expect(() => address("/api/tables/{table}")).toThrow("table");
  });
});

describe("what this device prefers", () => {
  test("survives what is broken", () => {
    const first = readKept(null);
    for (const text of ["", "{", "null", "[]", '{"theme": 3, "language": "tlh", "seats": "x", "palette": "loud"}']) {
      expect(readKept(text)).toEqual(first);
    }
    expect(readKept('{"theme": "dark", "language": "nl", "name": "Ada"}')).toMatchObject({
      theme: "dark",
      language: "nl",
      name: "Ada",
    });
  });

  test("the first language that we speak", () => {
    expect(spoken(["fr", "nl-BE", "de"])).toBe("nl");
    expect(spoken(["tlh"])).toBe("en");
  });
});

test("who is to sit where", () => {
  const wish = { name: "Ada", seats: 3, bots: ["greedy"], names: ["Ada", "Bo", ""] };
  expect(placesOf({ ...wish, mode: "bots" }).map((place) => place.bot ?? place.kind)).toEqual(["me", "greedy", "greedy"]);
  expect(placesOf({ ...wish, mode: "pass" }).map((place) => place.name)).toEqual(["Ada", "Bo", null]);
  expect(placesOf({ ...wish, mode: "link", bots: [null, "greedy"] }).map((place) => place.kind)).toEqual(["me", "open", "bot"]);
});

test("hints are allowed at first where nobody else could mind", () => {
  expect(hintsAtFirst("bots")).toBe(true);
  expect(hintsAtFirst("solo")).toBe(true);
  expect(hintsAtFirst("bots", true)).toBe(false);
  expect(hintsAtFirst("pass")).toBe(false);
  expect(hintsAtFirst("link")).toBe(false);
});
