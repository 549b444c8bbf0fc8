// Writes `kept.js`, the list of what the service worker caches. `genial site` writes it again for a site, which has
// more to cache (src/genial/server/operate/site.py).

import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import type { Plugin } from "vite";
import { keptOf } from "./keeping.ts";

export function kept(): Plugin {
  let folder = "";
  return {
    name: "genial-kept",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      folder = config.publicDir;
    },
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const bodies = new Map<string, string | Uint8Array>();
        for (const name of readdirSync(folder)) bodies.set(name, readFileSync(`${folder}/${name}`));
        for (const file of Object.values(bundle)) bodies.set(file.fileName, file.type === "chunk" ? file.code : file.source);
        const hash = createHash("sha256");
        for (const [name, body] of bodies) hash.update(name).update(body);
        const list = keptOf([...bodies.keys()], hash.digest("hex").slice(0, 16));
        this.emitFile({ type: "asset", fileName: "kept.js", source: `self.KEPT = ${JSON.stringify(list, null, 1)};\n` });
      },
    },
  };
}
