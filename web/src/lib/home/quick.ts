// Starting a game against a bot, or alone, with one click.

import type { VariantInfo } from "../api";
import { house } from "../net/house.svelte";
import { prefs } from "../prefs.svelte";
import { links, place } from "../route.svelte";
import { setUp } from "../wish";
import { m } from "../../paraglide/messages.js";

/** Create a table with as many seats as last time if the title allows it, otherwise with the fewest, and go there. */
export async function playAt(info: VariantInfo, bot: string): Promise<void> {
  const last = prefs.last.variant === info.variant ? prefs.last.seats : null;
  const seats = last !== null && info.seats.includes(last) ? last : Math.min(...info.seats);
  const mode = info.solo ? ("solo" as const) : ("bots" as const);
  const table = await setUp({ mode, name: prefs.name || m.guest(), seats, bots: [bot], names: [] }, { variant: info.variant });
  if (!info.solo) prefs.last = { variant: info.variant, seats, bot };
  place.go(links.table(table.id));
}

/** A title with a place for a bot: the one played last, or the first. */
export function usualTitle(): VariantInfo | undefined {
  const several = house.variants.filter((info) => !info.solo);
  return several.find((info) => info.variant === prefs.last.variant) ?? several[0];
}
