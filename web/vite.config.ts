import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { budget } from "./tools/budget.ts";
import { kept } from "./tools/kept.ts";
import { rulesPages } from "./tools/rules.ts";
import { thirdParty } from "./tools/thirdparty.ts";
import { ownWords } from "./tools/words.ts";

const server = "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [
    paraglideVitePlugin({
      project: "./project.inlang",
      outdir: "./src/paraglide",
      strategy: ["globalVariable", "baseLocale"],
      emitTsDeclarations: false,
    }),
    rulesPages(),
    svelte(),
    ownWords(),
    budget(),
    thirdParty(),
    kept(),
  ],
  server: { proxy: { "/api": { target: server, ws: true } }, fs: { allow: [".", "../docs"] } },
  // The same files work at the root of a server and in any folder.
  base: "./",
  build: {
    target: "es2022",
    outDir: "../src/genial/server/client",
    emptyOutDir: true,
    // The content security policy allows only what comes from this server: no data: URLs, nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 650, // three.js, which only boards in space load; the limits that count are in tools/budget.ts
    rolldownOptions: {
      // What every page needs first is one file: fewer requests until something shows, and it compresses better.
      output: { codeSplitting: { groups: [{ name: "first", tags: ["$initial"] }] } },
      checks: { bundlerTimings: false }, // a slow build is the busy machine's fault
      // Otherwise the build would succeed with a missing message, which would be undefined on the page.
      onLog(level, log, handler) {
        if (log.code === "IMPORT_IS_UNDEFINED") throw new Error(log.message);
        handler(level, log);
      },
    },
  },
  // A busy machine may be slow.
  test: { include: ["tests/**/*.test.ts"], environment: "node", testTimeout: 60_000 },
  // vitest, too, needs Svelte's browser version.
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
});
