// Quick messages, which need no typing, by the names the server gives them.

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

/** A quick message in words; a placeholder if this client is older than the server and does not know it. */
export function phraseWords(phrase: string): string {
  return PHRASES[phrase]?.() ?? "…";
}

/** The quick messages offered by the server that this client has words for. */
export function knownPhrases(offered: readonly string[]): string[] {
  return offered.filter((phrase) => phrase in PHRASES);
}
