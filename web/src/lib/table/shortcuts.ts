// The table's keys, wherever the focus is (all are listed in keys.ts; the board handles its own arrow keys).

import { type Deed, asks, isTyping } from "./keys";
import type { Play } from "./play.svelte";

export interface Deeds {
  /** Take the tile in a recess, or the n-th card. */
  choose: (n: number) => void;
  turn: (by: 1 | -1) => void;
}

/** Do what a key stands for; false if it means nothing here. */
export function shortcut(event: KeyboardEvent, play: Play, { choose, turn }: Deeds): boolean {
  if (isTyping(event)) return false;
  const is = (deed: Deed): boolean => asks(event, deed);
  if (is("take") && Number(event.key) <= Math.max(play.info.rack, play.rack.length)) choose(Number(event.key) - 1);
  else if (is("turn") && play.tile) turn(event.shiftKey ? -1 : 1);
  // With Shift the same key asks for a hint.
  else if (is("heat") && play.tile && play.info.board && !event.shiftKey) play.choice.heat = !play.choice.heat;
  else if (is("end") && play.ending) play.end("refill");
  else if (is("swap") && play.ending) play.end("swap");
  else if (is("back") && play.table.back) play.back();
  else if (is("putBack") && play.tile) play.putBack();
  else return false;
  return true;
}
