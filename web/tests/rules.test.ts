import { describe, expect, test } from "vitest";
import { rulesPage } from "../src/lib/rules";
import { inside, page, plain, slug } from "../tools/rules";

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
    expect(html).toContain('<img src="{{0}}" alt="A &quot;tile&quot;."');
    expect(drawings).toEqual(["../diagrams/a.svg"]);
  });

  test("the client's heading stands above the page, and its parts are its contents", () => {
    const { html, contents } = page("# Classic: rules\n\n## The *team* game\n\n### Goal\n");
    expect(html).not.toContain("Classic");
    expect(html).toContain('<h3 id="the-team-game" tabindex="-1">The <em>team</em> game</h3>');
    expect(html).toContain('<h4 id="goal"');
    expect(contents).toEqual([
      { id: "the-team-game", words: "The team game", depth: 2 },
      { id: "goal", words: "Goal", depth: 3 },
    ]);
    expect(page("### Goal\n\n### Goal\n").contents.map(({ id }) => id)).toEqual(["goal", "goal-1"]);
  });

  test("players read no names of rulings", () => {
    expect(plain("You may swap (SWAP), or not (3D-BONUS, ALL-MAX).")).toBe("You may swap, or not.");
    expect(plain("- SWAP: after the last bonus move.")).toBe("- After the last bonus move.");
    expect(plain("The tile (RB) of 2 (two).")).toBe("The tile (RB) of 2 (two).");
  });

  test.each(Object.entries(import.meta.glob<string>("../../docs/rules/*/*.md", { query: "?raw", import: "default", eager: true })))(
    "none of them is left in %s",
    (_, text) => {
      const read = plain(text);
      expect(read.match(/[^\n]*(\([A-Z0-9-]{4,}[,)]|^- [A-Z0-9-]{4,}:|brackets|Klammern|haakjes)[^\n]*/gm) ?? []).toEqual([]);
      expect(read.length).toBeGreaterThan(0.9 * text.length);
    },
  );

  test("a page that nobody wrote is none", async () => {
    expect(await rulesPage("chess", "en")).toBe(null);
    expect(await rulesPage(null, "en")).toBe(null);
  });
});
