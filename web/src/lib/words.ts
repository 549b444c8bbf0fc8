// The engine's and the server's texts: the server's catalogue has a sentence for every code, in all three languages.

import type { Catalogue } from "./api";
import { listed } from "./intl";

export type Params = Record<string, unknown>;
type Messages = Catalogue["messages"];
const LONGEST = 120;
/** The kinds of codes that a parameter may be, as in core/messages. The names of editions come with the editions. */
const CODES = ["edition", "ending", "kind", "wanted"];

/** A code in words, as in core/messages; the code itself if the catalogue does not know it. */
export function rendered(messages: Messages, code: string, params: Params = {}, language = "en"): string {
  const found = messages[code];
  const count = params["count"] ?? params["seconds"];
  const chosen: unknown = Array.isArray(found) ? found[count === 1 ? 0 : 1] : found;
  if (typeof chosen !== "string") return code;
  return chosen.replace(/\{(\w+)(?::(\w+))?\}/g, (whole, name: string, how?: string) => {
    if (!(name in params)) return whole;
    const value = params[name];
    // A code of ours is put into words; anything else stays as it is.
    const word = messages[`${how}-${String(value)}`];
    if (how && CODES.includes(how)) return cut(typeof word === "string" ? word : String(value));
    return cut(shown(messages, value, name, how === "and" || how === "or" ? how : undefined, language));
  });
}

/** A parameter in the form its message wants: `{names:and}` puts "and" before the last item of a list. */
function shown(
  messages: Messages,
  value: unknown,
  name: string,
  last: "and" | "or" | undefined,
  language: string,
): string {
  if (name === "points" && typeof value === "number") return rendered(messages, "points", { count: value }, language);
  if (!Array.isArray(value)) return String(value);
  const items = value.map((item) => (name === "colours" ? rendered(messages, `colour-${String(item)}`) : written(item)));
  return last ? listed(items, last, language) : items.join(", ");
}

/** An item of a list; a list inside a list keeps its brackets. */
function written(item: unknown): string {
  return Array.isArray(item) ? `(${item.map(written).join(", ")})` : String(item);
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
