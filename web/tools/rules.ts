// The pages of docs/rules/ as modules: HTML made by the build, with drawings in separate files and links that stay
// inside the client. The text is our own, so the client may trust it.

import { Marked } from "marked";
import type { Plugin } from "vite";

/** The anchor of a heading, as on the repository's pages. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/<[^>]*>|&[a-z]+;/g, "")
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

/** Where a page's link leads in the client. */
export function inside(href: string): string {
  const page = /(?:^|\/)([a-z0-9-]+)\.md(#.*)?$/.exec(href);
  return page ? `/rules/${page[1]}${page[2] ?? ""}` : href;
}

const RULING = "[A-Z0-9]+(?:-[A-Z0-9]+)*";

/** A page as players read it: without the names of our rulings, which are for people who work on the rules. */
export function plain(text: string): string {
  return (
    text
      // The sentence that explains them is on a line of its own, with one of them as an example.
      .replace(new RegExp(`^[^\\n|(-][^\\n(]*, \\p{L}+(?: \\p{L}+)? \\(${RULING}\\), [^\\n]*$\\n?`, "mu"), "")
      .replace(new RegExp(` ?\\(${RULING}(?:, ${RULING})*\\)`, "g"), (found) => (/[A-Z]{3}|\dD/.test(found) ? "" : found))
      // At the end of the page each is followed by its explanation.
      .replace(new RegExp(`^- ${RULING}: (\\p{Ll})`, "gmu"), (_, first: string) => `- ${first.toUpperCase()}`)
      .replace(new RegExp(`^- ${RULING}: `, "gm"), "- ")
  );
}

interface Page {
  html: string;
  /** Its drawings, in the order of their {{numbers}}. */
  drawings: string[];
  /** The sections of the page, with the anchors of their headings. */
  contents: { id: string; words: string; depth: number }[];
}

export function page(text: string): Page {
  const drawings: string[] = [];
  const contents: Page["contents"] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        // The client has its own headings: one above the page, one above its text.
        if (depth === 1) return "";
        // A heading that occurs several times is numbered, as in the repository.
        const same = contents.filter(({ words }) => slug(words) === slug(inner)).length;
        const id = same ? `${slug(inner)}-${same}` : slug(inner);
        contents.push({ id, words: inner.replace(/<[^>]*>/g, ""), depth });
        return `<h${depth + 1} id="${id}" tabindex="-1">${inner}</h${depth + 1}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${inside(href)}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text: words }) {
        drawings.push(href);
        return `<img src="{{${drawings.length - 1}}}" alt="${words.replaceAll('"', "&quot;")}" loading="lazy">`;
      },
    },
  });
  // The client switches languages itself, and its list of editions is the start page.
  const kept = plain(text.replace(/^(Other languages|Andere Sprachen|Andere talen):.*$/m, ""));
  return { html: marked.parse(kept, { async: false }), drawings, contents };
}

export function rulesPages(): Plugin {
  return {
    name: "genial-rules",
    enforce: "pre",
    transform(text, id) {
      if (!/\/docs\/rules\/[a-z]{2}\/[^/]+\.md$/.test(id)) return null;
      const { html, drawings, contents } = page(text);
      const imports = drawings.map((path, n) => `import d${n} from ${JSON.stringify(`${path}?url`)};`);
      const parts = JSON.stringify(html).replace(/\{\{(\d+)\}\}/g, (_, n: string) => `" + d${n} + "`);
      const made = `export default { html: ${parts}, contents: ${JSON.stringify(contents)} };`;
      return { code: `${imports.join("\n")}\n${made}\n`, map: null, moduleType: "js" };
    },
  };
}
