// Which files of a build a browser loads, and for what.

export interface Part {
  /** The file's name, and its size compressed. */
  name: string;
  size: number;
  /** The module it was built for: the page's own, or one that is loaded on demand. */
  module: string | null;
  isEntry: boolean;
  imports: readonly string[];
  styles: readonly string[];
}

/** The names of all files that are loaded for the entry and these modules. */
export function loadedFor(parts: readonly Part[], modules: readonly string[]): Set<string> {
  const byName = new Map(parts.map((part) => [part.name, part]));
  const found = new Set<string>();
  const follow = (name: string): void => {
    const part = byName.get(name);
    if (found.has(name)) return;
    found.add(name);
    for (const other of [...(part?.imports ?? []), ...(part?.styles ?? [])]) follow(other);
  };
  for (const part of parts) {
    if (part.isEntry || modules.some((module) => part.module?.endsWith(module))) follow(part.name);
  }
  return found;
}
