// The pages of docs/rules/ as modules: HTML made while building, with the drawings as files of their own and links
// that stay inside the client. The text is our own, so the page may trust it.

import { Marked } from "marked";
import type { Plugin } from "vite";

/** The name of a heading in addresses, as on the pages of the repository. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/<[^>]*>|&[a-z]+;/g, "")
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

/** Where a link of a page leads in the client. */
export function inside(href: string): string {
  const page = /(?:^|\/)([a-z0-9-]+)\.md(#.*)?$/.exec(href);
  return page ? `/rules/${page[1]}${page[2] ?? ""}` : href;
}

/** A page as HTML, and the drawings that it shows, in the order of their {{numbers}}. */
export function page(text: string): { html: string; drawings: string[] } {
  const drawings: string[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        // A page has its own first heading in the client.
        return `<h${depth} id="${slug(inner)}" tabindex="-1">${inner}</h${depth}>\n`;
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
  // The languages are switched by the client, and there is one page of titles: the start.
  const kept = text.replace(/^(Other languages|Andere Sprachen|Andere talen):.*$/m, "");
  return { html: marked.parse(kept, { async: false }), drawings };
}

export function rulesPages(): Plugin {
  return {
    name: "genial-rules",
    enforce: "pre",
    transform(text, id) {
      if (!/\/docs\/rules\/[a-z]{2}\/[^/]+\.md$/.test(id)) return null;
      const { html, drawings } = page(text);
      const imports = drawings.map((path, n) => `import d${n} from ${JSON.stringify(`${path}?url`)};`);
      const parts = JSON.stringify(html).replace(/\{\{(\d+)\}\}/g, (_, n: string) => `" + d${n} + "`);
      return { code: `${imports.join("\n")}\nexport default ${parts};\n`, map: null, moduleType: "js" };
    },
  };
}
