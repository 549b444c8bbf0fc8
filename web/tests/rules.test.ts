import { describe, expect, test } from "vitest";
import { pageOf } from "../src/lib/rules";
import { inside, page, slug } from "../tools/rules";

describe("pages of rules", () => {
  test("headings can be linked to, as in the repository", () => {
    expect(slug("Where the printed rules leave something open")).toBe("where-the-printed-rules-leave-something-open");
    expect(slug("Für 2 bis 4: Größe &amp; Maß")).toBe("für-2-bis-4-größe--maß");
  });

  test("links stay inside the client", () => {
    expect(inside("../de/classic.md")).toBe("/rules/classic");
    expect(inside("3d.md#scoring")).toBe("/rules/3d#scoring");
    expect(inside("#scoring")).toBe("#scoring");
  });

  test("drawings become files with the words for those who cannot see them", () => {
    const { html, drawings } = page('# T\n\n![A "tile".](../diagrams/a.svg)\n');
    expect(html).toContain('<h1 id="t" tabindex="-1">T</h1>');
    expect(html).toContain('<img src="{{0}}" alt="A &quot;tile&quot;."');
    expect(drawings).toEqual(["../diagrams/a.svg"]);
  });

  test("a mode stands on the page of its title", () => {
    expect(pageOf("classic-team", ["3d", "classic"])).toBe("classic");
    expect(pageOf("3d", ["3d", "classic"])).toBe("3d");
    expect(pageOf("classics", ["classic"])).toBe(null);
  });
});
