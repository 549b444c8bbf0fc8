// Prints how much is loaded first, compressed as the server sends it, and fails the build if that is too much.

import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { type Part, loadedFor } from "./loaded.ts";

/** The most bytes for the start page, for the first play screen, and for the board in space on top of that, with
    styles, fonts and pictures. */
export const MOST = { start: 80 * 1024, play: 150 * 1024, space: 150 * 1024 };

/** Parts that the start page shows as soon as it can. */
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
      // The styles that name a font load it with the first word set in it.
      const fonts = parts.filter((part) => part.name.endsWith(".woff2")).map((part) => part.name);
      const sizeOf = (names: Set<string>): number =>
        parts.reduce((sum, part) => sum + (names.has(part.name) ? part.size : 0), 0);
      for (const module of [...HOME, TABLE, SPACE]) {
        if (!parts.some((part) => part.module?.endsWith(module))) throw new Error(`${module} was not built`);
      }
      const start = new Set([...loadedFor(parts, HOME), ...fonts]);
      const play = new Set([...loadedFor(parts, [TABLE]), ...fonts]);
      const space = new Set([...loadedFor(parts, [TABLE, SPACE])].filter((name) => !play.has(name)));
      const found = [
        { screen: "the start page", size: sizeOf(start), most: MOST.start },
        { screen: "the first play screen", size: sizeOf(play), most: MOST.play },
        { screen: "the board in space on top", size: sizeOf(space), most: MOST.space },
      ];
      console.log(`Compressed: ${found.map(({ screen, size }) => `${screen} ${(size / 1024).toFixed(1)} KB`).join(", ")}.`);
      for (const { screen, size, most } of found) {
        if (size > most) throw new Error(`${screen} takes ${size} bytes, more than ${most}`);
      }
    },
  };
}
