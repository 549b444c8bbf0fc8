// The rules pages, by language and name. Each is loaded when opened; the server says which one belongs to a title.

import { addressOf } from "./where";

export interface RulesPage {
  html: string;
  /** The table of contents. */
  contents: { id: string; words: string; depth: number }[];
}

const PAGES = import.meta.glob<RulesPage>("../../../docs/rules/*/*.md", { import: "default" });

/** A rules page; null if there is none of this name. */
export async function rulesPage(page: string | null, language: string): Promise<RulesPage | null> {
  const found = page ? await PAGES[`../../../docs/rules/${language}/${page}.md`]?.() : null;
  return found ? { ...found, html: linked(found.html) } : null;
}

/** The page with links to other pages of the app adapted to the app's address. */
export function linked(html: string, address = addressOf): string {
  return html.replace(/ href="(\/[^"]*)"/g, (_, page: string) => ` href="${address(page)}"`);
}
