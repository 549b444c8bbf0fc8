// Says how large what is loaded first is, compressed as the server sends it, and fails the build where it is too large.

import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { type Part, loadedFor } from "./loaded.ts";

/** Until the start page stands, and until the first play screen does: styles, fonts and pictures included. Without
    three.js. */
export const MOST = { start: 80 * 1024, play: 150 * 1024 };

/** What the start page shows as soon as it can. */
const HOME = ["/home/LivingBoard.svelte", "/home/Shelf.svelte"];
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
      // A font is loaded by the styles that name it, with the first word written in it.
      const fonts = parts.filter((part) => part.name.endsWith(".woff2")).map((part) => part.name);
      const sizeOf = (names: Set<string>): number =>
        parts.reduce((sum, part) => sum + (names.has(part.name) ? part.size : 0), 0);
      for (const module of [...HOME, TABLE]) {
        if (!parts.some((part) => part.module?.endsWith(module))) throw new Error(`${module} was not built`);
      }
      const start = new Set([...loadedFor(parts, HOME), ...fonts]);
      const play = new Set([...loadedFor(parts, [TABLE]), ...fonts]);
      const space = [...loadedFor(parts, [TABLE, SPACE])].filter((name) => !play.has(name));
      const found = { "start page": start, "first play screen": play, "the board in space on top": new Set(space) };
      const told = Object.entries(found).map(([screen, names]) => `${screen} ${(sizeOf(names) / 1024).toFixed(1)} KB`);
      console.log(`Compressed: ${told.join(", ")}.`);
      if (sizeOf(start) > MOST.start) throw new Error(`the start page takes ${sizeOf(start)} bytes, more than ${MOST.start}`);
      if (sizeOf(play) > MOST.play) throw new Error(`the first play screen takes ${sizeOf(play)} bytes, more than ${MOST.play}`);
    },
  };
}
