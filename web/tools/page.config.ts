// Builds the parts of a page without a server as plain modules that a browser can load, for tests/server/page and
// tests/browser.

import { defineConfig } from "vite";

const PARTS = ["engine", "kernel", "search.worker", "searching", "tabs", "vault"];

export default defineConfig({
  publicDir: false,
  build: {
    target: "es2022",
    outDir: "../build/page",
    emptyOutDir: true,
    minify: false,
    lib: { entry: PARTS.map((part) => `src/page/${part}.ts`), formats: ["es"] },
  },
});
