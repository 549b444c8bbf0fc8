// Quick messages: what can be said without typing, by the names that the server gives.

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

/** A quick message in words; something was said, where this client is older than the server and has no words for it. */
export function phraseWords(phrase: string): string {
  return PHRASES[phrase]?.() ?? "…";
}

/** Of the quick messages that the server offers, those that this client has words for. */
export function knownPhrases(offered: readonly string[]): string[] {
  return offered.filter((phrase) => phrase in PHRASES);
}
