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
  // The same files are served at the root of a server, and from any folder.
  base: "./",
  build: {
    target: "es2022",
    outDir: "../src/genial/server/client",
    emptyOutDir: true,
    // The content policy allows what comes from this server and nothing else: no data: addresses, no inline parts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 650, // three.js, which only boards in space load; what counts is in tools/budget.ts
    rolldownOptions: {
      checks: { bundlerTimings: false }, // a busy machine is no fault of ours
      // A message that the catalogue compiler did not find would else be undefined on the page, and the build succeed.
      onLog(level, log, handler) {
        if (log.code === "IMPORT_IS_UNDEFINED") throw new Error(log.message);
        handler(level, log);
      },
    },
  },
  // A busy machine is no fault of ours.
  test: { include: ["tests/**/*.test.ts"], environment: "node", testTimeout: 60_000 },
  // In vitest Svelte is the browser's, too.
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
});
