// The files of a build that the service worker caches (public/sw.js).

export interface Kept {
  /** The version, which changes with any file. */
  build: string;
  /** Whether the tables are in the browser. If so, everything is cached at once. */
  here: boolean;
  /** Files that belong to one version. The page itself is "./". */
  page: string[];
  /** Files named by a hash of their content. */
  files: string[];
}

/** The service worker and its list, which aren't cached: they show whether there is anything new. */
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
