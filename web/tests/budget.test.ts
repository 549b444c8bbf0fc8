import { describe, expect, test } from "vitest";
import { span, within } from "../src/lib/span";
import { type Part, loadedFor } from "../tools/loaded";
import { withOwnWords } from "../tools/words";

describe("what is loaded first", () => {
  const part = (name: string, more: Partial<Part> = {}): Part => ({ name, size: 1, module: null, isEntry: false, imports: [], styles: [], ...more });
  const parts = [
    part("index.js", { isEntry: true, imports: ["shared.js"], styles: ["index.css"] }),
    part("shared.js", { imports: ["index.js"] }),
    part("index.css"),
    part("table.js", { module: "/src/lib/pages/Table.svelte", imports: ["shared.js", "board.js"] }),
    part("board.js"),
    part("space.js", { module: "/src/lib/three/Board3D.svelte" }),
  ];

  test("the entry with all it imports, and the pages asked for", () => {
    expect([...loadedFor(parts, [])]).toEqual(["index.js", "shared.js", "index.css"]);
    expect([...loadedFor(parts, ["/pages/Table.svelte"])]).toEqual(["index.js", "shared.js", "index.css", "table.js", "board.js"]);
  });
});

describe("the words of a page", () => {
  test("each that it says is imported by itself, on the line where all of them were", () => {
    const code = 'import { m } from "../../paraglide/messages.js";\nsay(m.you(), m.retry, m.you());';
    expect(withOwnWords(code)).toBe(
      'import { retry as m_retry } from "../../paraglide/messages/retry.js"; ' +
        'import { you as m_you } from "../../paraglide/messages/you.js"; ' +
        "const m = { retry: m_retry, you: m_you };\nsay(m.you(), m.retry, m.you());",
    );
  });

  test("what says nothing is left as it is", () => {
    expect(withOwnWords("form.you();")).toBeNull();
  });
});

describe("spans of time", () => {
  test("in the largest unit that tells them exactly", () => {
    expect([45, 60, 90, 180, 3600, 86_400, 259_200].map(span)).toEqual([
      "45 seconds", "1 minute", "90 seconds", "3 minutes", "1 hour", "1 day", "3 days",
    ]);
  });

  test("only those that the server accepts are offered", () => {
    expect(within([15, 30, 60, 600], [20, 100])).toEqual([30, 60]);
  });
});
