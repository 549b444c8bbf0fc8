// The keys of the table, wherever the focus is (Keys.svelte lists them; the board has its own arrows).

import type { Play } from "./play.svelte";

export interface Deeds {
  choose: (n: number) => void;
  turn: (by: 1 | -1) => void;
}

/** Do what a key asks for; false where it asks for nothing here. */
export function shortcut(event: KeyboardEvent, play: Play, { choose, turn }: Deeds): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if ((event.target as Element).closest("input, textarea, select, dialog")) return false;
  const digit = Number(event.key);
  const pressed = event.key.toLowerCase();
  if (digit >= 1 && digit <= play.rack.length) choose(digit - 1);
  else if (pressed === "r" && play.tile) turn(event.shiftKey ? -1 : 1);
  else if (pressed === "h" && play.tile) play.choice.heat = !play.choice.heat;
  else if (pressed === "e" && play.ending) play.end("refill");
  else if (pressed === "s" && play.ending) play.end("swap");
  else if (pressed === "u" && play.table.back) play.back();
  else if (event.key === "Escape" && play.tile) play.putBack();
  else return false;
  return true;
}
