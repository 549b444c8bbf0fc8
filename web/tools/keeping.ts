// What the service worker keeps of a build (public/sw.js).

export interface Kept {
  /** The version: another one for anything that changes. */
  build: string;
  /** Whether the tables are in the browser: then everything is kept, at once. */
  here: boolean;
  /** Files that belong to one version; the page itself is "./". */
  page: string[];
  /** Files that are named after what is in them. */
  files: string[];
}

/** The service worker and its list are not kept: they tell when there is something new. */
const WORKER = ["sw.js", "kept.js"];

export function keptOf(names: readonly string[], build: string): Kept {
  const kept = names.filter((name) => !WORKER.includes(name)).sort();
  return {
    build,
    here: false,
    page: kept.filter((name) => !name.startsWith("assets/")).map((name) => (name === "index.html" ? "./" : name)),
    files: kept.filter((name) => name.startsWith("assets/")),
  };
}
