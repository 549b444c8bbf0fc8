// Says how large what is loaded first is, compressed as the server sends it, and fails the build where it is too large.

import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { type Part, loadedFor } from "./loaded.ts";

/** Until the first play screen stands: the page, its styles, the table. Without three.js. */
export const MOST = 150 * 1024;

const TABLE = "/pages/Table.svelte";
const SPACE = "/three/Board3D.svelte";

export function budget(): Plugin {
  return {
    name: "genial-budget",
    apply: "build",
    writeBundle(_, bundle) {
      const parts = Object.values(bundle).map((file): Part => {
        const text = file.type === "chunk" ? file.code : file.source;
        const chunk = file.type === "chunk" ? file : null;
        return {
          name: file.fileName,
          size: gzipSync(text).length,
          module: chunk?.facadeModuleId ?? null,
          isEntry: chunk?.isEntry ?? false,
          imports: chunk?.imports ?? [],
          styles: [...(chunk?.viteMetadata?.importedCss ?? [])],
        };
      });
      const sizeOf = (names: Set<string>): number =>
        parts.reduce((sum, part) => sum + (names.has(part.name) ? part.size : 0), 0);
      if (!parts.some((part) => part.module?.endsWith(TABLE))) throw new Error("the table was not built");
      const play = loadedFor(parts, [TABLE]);
      const space = [...loadedFor(parts, [TABLE, SPACE])].filter((name) => !play.has(name));
      const found = { "start page": loadedFor(parts, []), "first play screen": play, "the board in space on top": new Set(space) };
      const told = Object.entries(found).map(([screen, names]) => `${screen} ${(sizeOf(names) / 1024).toFixed(1)} KB`);
      console.log(`Compressed: ${told.join(", ")}.`);
      if (sizeOf(play) > MOST) throw new Error(`the first play screen takes ${sizeOf(play)} bytes, more than ${MOST}`);
    },
  };
}
