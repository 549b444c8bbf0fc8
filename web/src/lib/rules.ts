// The pages of rules in this language: of which title, and where. Each is loaded when it is read.

const PAGES = import.meta.glob<string>("../../../docs/rules/*/*.md", { import: "default" });
const NAME = /\/([a-z]{2})\/([^/]+)\.md$/;

/** Of the titles that have a page, the one that a variant belongs to: a mode stands on the page of its title. */
export function pageOf(variant: string, titles: readonly string[]): string | null {
  return titles.find((title) => variant === title || variant.startsWith(`${title}-`)) ?? null;
}

/** The page of rules of a variant; null if there is none. */
export async function rulesOf(variant: string, language: string): Promise<string | null> {
  const found = new Map<string, () => Promise<string>>();
  for (const [path, load] of Object.entries(PAGES)) {
    const [, spoken, title] = NAME.exec(path) ?? [];
    if (spoken === language && title) found.set(title, load);
  }
  const title = pageOf(variant, [...found.keys()]);
  return (await found.get(title ?? "")?.()) ?? null;
}
