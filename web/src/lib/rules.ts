// The pages of rules, by language and name. Each is loaded when it is read; which one a title has, the server says.

import { addressOf } from "./where";

export interface RulesPage {
  html: string;
  /** The parts of the page, by the names of their headings. */
  contents: { id: string; words: string; depth: number }[];
}

const PAGES = import.meta.glob<RulesPage>("../../../docs/rules/*/*.md", { import: "default" });

/** A page of rules; null if there is none of this name. */
export async function rulesPage(page: string | null, language: string): Promise<RulesPage | null> {
  const found = page ? await PAGES[`../../../docs/rules/${language}/${page}.md`]?.() : null;
  return found ? { ...found, html: linked(found.html) } : null;
}

/** With its links to other pages of the app as the app's addresses are here. */
export function linked(html: string, address = addressOf): string {
  return html.replace(/ href="(\/[^"]*)"/g, (_, page: string) => ` href="${address(page)}"`);
}
