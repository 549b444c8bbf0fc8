// Which third-party packages the modules of a build come from.

export interface Package {
  name: string;
  folder: string;
}

const INSTALLED = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;
/** The output of this compiler contains its own code as well as ours. */
const COMPILED = { folder: "/src/paraglide/", by: "@inlang/paraglide-js" };

/** The package that a module comes from, or null for our own. */
export function packageOf(module: string, root: string): Package | null {
  if (module.startsWith(root + COMPILED.folder)) {
    return { name: COMPILED.by, folder: `${root}/node_modules/${COMPILED.by}/` };
  }
  const found = INSTALLED.exec(module);
  return found?.[1] ? { name: found[1], folder: found[0] } : null;
}

/** The file of a package that is its licence. A package without one may not be in the build. */
export function licenceAmong(files: readonly string[], name: string): string {
  const found = files.find((file) => /^licen[cs]e(\.|$)/i.test(file));
  if (!found) throw new Error(`${name} is in the build and has no licence`);
  return found;
}
