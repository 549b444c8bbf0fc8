// Builds the kernel's checks as plain modules that Node and a browser can load, for tools/kernel/web.py.

import { defineConfig } from "vite";

export default defineConfig({
  publicDir: false,
  build: {
    target: "es2022",
    outDir: "../build/kernel/web",
    emptyOutDir: true,
    minify: false,
    lib: { entry: ["tests/kernel/agreement.ts", "tests/kernel/speed.ts"], formats: ["es"] },
  },
});
