// The server's catalogue in words: one source for what the engine and the server say, in all three languages.

import type { Catalogue } from "./api";

export type Params = Record<string, unknown>;
const LONGEST = 120;

/** A code in words; the code itself where the catalogue does not know it. */
export function rendered(messages: Catalogue["messages"], code: string, params: Params = {}): string {
  const found = messages[code];
  const chosen: unknown = Array.isArray(found) ? found[params["count"] === 1 ? 0 : 1] : found;
  if (typeof chosen !== "string") return code;
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in params ? shown(messages, params[name], name) : whole,
  );
}

function shown(messages: Catalogue["messages"], value: unknown, name: string): string {
  let text: string;
  if (name === "colours" && Array.isArray(value)) {
    text = value.map((number) => rendered(messages, `colour-${String(number)}`)).join(", ");
  } else if (Array.isArray(value)) {
    text = value.map((item) => shown(messages, item, "")).join(", ");
  } else {
    text = String(value);
  }
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
