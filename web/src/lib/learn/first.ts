// The first game after a lesson: the same title, with as few opponents as it allows, all of them the gentlest bot.

import { houseBots } from "../bots";
import { prefs } from "../prefs.svelte";
import { setUp } from "../wish";
import { m } from "../../paraglide/messages.js";
import type { VariantInfo } from "../table/types";

/** Start the game. Returns the id of its table. */
export async function firstGame({ variant, seats, solo }: VariantInfo): Promise<string> {
  const [gentlest] = houseBots();
  const wish = {
    mode: solo ? ("solo" as const) : ("bots" as const),
    name: prefs.name || m.guest(),
    seats: Math.min(...seats),
    bots: solo ? [] : [gentlest?.name ?? null],
    names: [],
  };
  const table = await setUp(wish, { variant });
  prefs.last = { variant, seats: wish.seats, bot: gentlest?.name ?? null };
  return table.id;
}
