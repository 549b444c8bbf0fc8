// Which packages of others the modules of a build come from.

export interface Package {
  name: string;
  folder: string;
}

const INSTALLED = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;
/** What this compiler writes is its own code as well as ours. */
const COMPILED = { folder: "/src/paraglide/", by: "@inlang/paraglide-js" };

/** The package that a module comes from; null for our own. */
export function packageOf(module: string, root: string): Package | null {
  if (module.startsWith(root + COMPILED.folder)) {
    return { name: COMPILED.by, folder: `${root}/node_modules/${COMPILED.by}/` };
  }
  const found = INSTALLED.exec(module);
  return found?.[1] ? { name: found[1], folder: found[0] } : null;
}

/** Which of a package's files is its licence. A package without one has no place in the build. */
export function licenceAmong(files: readonly string[], name: string): string {
  const found = files.find((file) => /^licen[cs]e(\.|$)/i.test(file));
  if (!found) throw new Error(`${name} is in the build and has no licence`);
  return found;
}
