// Writes `third-party.json`: the third-party packages in the build, with the full texts of their licences. The
// licences require that, and tools/sbom.py reads it.

import { readdirSync, readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { licenceAmong, packageOf } from "./packages.ts";

export function thirdParty(): Plugin {
  let root = "";
  return {
    name: "genial-third-party",
    apply: "build",
    configResolved(config) {
      root = config.root;
    },
    generateBundle(_, bundle) {
      const folders = new Map<string, string>();
      for (const part of Object.values(bundle)) {
        if (part.type !== "chunk") continue;
        for (const [module, { renderedLength }] of Object.entries(part.modules)) {
          const found = renderedLength ? packageOf(module, root) : null;
          if (found) folders.set(found.name, found.folder);
        }
      }
      const found = [...folders].sort().map(([name, folder]) => {
        const { version, license } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
        return { name, version, license, notice: readFileSync(folder + licenceAmong(readdirSync(folder), name), "utf8") };
      });
      this.emitFile({ type: "asset", fileName: "third-party.json", source: `${JSON.stringify(found, null, 1)}\n` });
    },
  };
}
