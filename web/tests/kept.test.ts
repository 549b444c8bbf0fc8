import { expect, test } from "vitest";
import { keptOf } from "../tools/keeping";

test("what never changes is kept apart from what belongs to a version; the service worker is not kept", () => {
  const names = ["sw.js", "index.html", "icon.svg", "assets/index-1a2b3c4d.js"];
  expect(keptOf(names, "1a2b")).toEqual({ build: "1a2b", here: false, page: ["icon.svg", "./"], files: ["assets/index-1a2b3c4d.js"] });
});
