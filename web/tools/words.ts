// Makes each page load only its own messages.
//
// Components write `m.some_message()`. All messages together would be one chunk that every page needs, so here each
// module that imports `m` imports just the messages it names. They are found by their spelling: a message is always
// `m.` and its name.

import type { Plugin } from "vite";

const IMPORTED = /import\s*\{\s*m\s*\}\s*from\s*(["'])(\S*\/paraglide\/)messages\.js\1;?/;

/** The module with a separate import for each of its messages, or null if it doesn't import `m`. */
export function withOwnWords(code: string): string | null {
  const found = IMPORTED.exec(code);
  if (!found) return null;
  const folder = found[2] ?? "";
  const said = [...new Set([...code.matchAll(/\bm\.([a-z]\w*)/g)].map((match) => match[1] ?? ""))].sort();
  const imports = said.map((key) => `import { ${key} as m_${key} } from "${folder}messages/${key}.js";`);
  const all = `const m = { ${said.map((key) => `${key}: m_${key}`).join(", ")} };`;
  // On one line, so that later lines keep their numbers.
  return code.replace(IMPORTED, () => [...imports, all].join(" "));
}

export function ownWords(): Plugin {
  return {
    name: "genial-own-words",
    apply: "build",
    transform: {
      filter: { id: /\/src\/(?!paraglide\/).*\.(?:ts|svelte)$/, code: "/paraglide/messages.js" },
      handler(code) {
        const changed = withOwnWords(code);
        return changed === null ? null : { code: changed, map: null };
      },
    },
  };
}
