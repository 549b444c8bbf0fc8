// Tiles and cards in words.

import { coloursOf } from "../look/symbols";
import { m } from "../../paraglide/messages.js";
import type { EventData, Translate } from "./types";

/** "red blue tile"; what may not be seen is only hidden. */
export function tileWords(tile: string, card: boolean, t: Translate): string {
  const colours = coloursOf(tile);
  if (!colours) return m.table_hidden();
  const [first, second] = colours.map((colour) => t(`colour-${colour}`)) as [string, string];
  return card ? m.table_card_name({ first, second }) : m.table_tile_name({ first, second });
}

/** Colours in words, one after the other. */
export function colourWords(colours: readonly number[], t: Translate): string {
  return colours.map((colour) => t(`colour-${colour}`)).join(", ");
}

/** What somebody did, as one sentence to be heard. Empty for what is not worth saying. */
export function deedWords(event: EventData, name: string, cellNames: readonly string[], t: Translate): string {
  const count = (event.gain ?? []).reduce((sum, points) => sum + points, 0);
  const points = t("points", { count });
  if (event.type === "swap") return m.table_said_swap({ name });
  if (event.type === "place")
    return m.table_said_place({ name, tile: tileWords(event.tile ?? "", false, t), cells: cellNames.join(" "), points });
  if (event.type === "play") return m.table_said_play({ name, tile: tileWords(event.tile ?? "", true, t), points });
  return "";
}
