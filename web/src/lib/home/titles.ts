// A title in a few words: how many can play it, and what it is like.

import type { VariantInfo } from "../api";
import { m } from "../../paraglide/messages.js";

const CHARACTERS: Readonly<Record<string, () => string>> = {
  classic: m.shelf_classic,
  "classic-team": m.shelf_team,
  "classic-solo": m.shelf_solo,
  travel: m.shelf_travel,
  "3d": m.shelf_3d,
  "3d-solo": m.shelf_3d_solo,
  cards: m.shelf_cards,
  duel: m.shelf_duel,
  quick: m.shelf_quick,
};

/** "2 to 4", or the exact number. */
export function playersOf({ seats }: VariantInfo): string {
  const [low, high] = [Math.min(...seats), Math.max(...seats)];
  return low === high ? String(low) : m.shelf_range({ low, high });
}

/** One line; a custom edition is described as such. */
export function characterOf(info: VariantInfo): string {
  return (CHARACTERS[info.variant] ?? m.fact_ours)();
}
