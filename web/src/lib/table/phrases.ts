// What can be said without typing, by the names that the server gives.

import { m } from "../../paraglide/messages.js";

const PHRASES: Record<string, () => string> = {
  hello: m.phrase_hello,
  "good-luck": m.phrase_good_luck,
  "well-played": m.phrase_well_played,
  thanks: m.phrase_thanks,
  oops: m.phrase_oops,
  thinking: m.phrase_thinking,
  "good-game": m.phrase_good_game,
  clap: m.phrase_clap,
  smile: m.phrase_smile,
  wow: m.phrase_wow,
  sad: m.phrase_sad,
};

/** A phrase in words; its name where this client is older than the server. */
export function phraseWords(phrase: string): string {
  return PHRASES[phrase]?.() ?? phrase;
}
