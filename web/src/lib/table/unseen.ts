// What a viewer has not seen yet of a board game's tiles: all there are, less those laid, less those on racks that the
// viewer may look at. Nothing else is known to anybody at the table, and nothing else is used. A tile that was covered
// was seen all the same.

import { COLOURS, coloursOf } from "../look/symbols";
import type { VariantInfo, ViewData } from "./types";

/** By colour, how many symbols are still in the bag and on the others' racks; null for cards. */
export function unseen(info: VariantInfo, view: Pick<ViewData, "seats" | "events" | "racks">): number[] | null {
  const tiles = info.tiles[info.seats.indexOf(view.seats)];
  if (!info.board || tiles === undefined) return null;
  // In every set of tiles each colour is on equally many of them.
  const left = Array.from(COLOURS, () => (2 * tiles) / COLOURS.length);
  const laid = view.events.flatMap((event) => (event.type === "place" && event.tile ? [event.tile] : []));
  for (const tile of [...laid, ...view.racks.flat()])
    for (const colour of coloursOf(tile) ?? []) left[colour] = (left[colour] ?? 0) - 1;
  return left;
}
