// The tiles of a board game that a viewer has not seen yet: all there are, minus those laid, minus those on racks the
// viewer may look at. Nobody at the table knows more, and nothing else is used. A covered tile has been seen.

import { COLOURS, coloursOf } from "../look/symbols";
import type { VariantInfo, ViewData } from "./types";

/** For each colour, how many symbols are still in the bag and on the others' racks; null for cards. */
export function unseen(info: VariantInfo, view: Pick<ViewData, "seats" | "events" | "racks">): number[] | null {
  const tiles = info.tiles[info.seats.indexOf(view.seats)];
  if (!info.board || tiles === undefined) return null;
  // In every set of tiles, each colour appears equally often.
  const left = Array.from(COLOURS, () => (2 * tiles) / COLOURS.length);
  const laid = view.events.flatMap((event) => (event.type === "place" && event.tile ? [event.tile] : []));
  for (const tile of [...laid, ...view.racks.flat()])
    for (const colour of coloursOf(tile) ?? []) left[colour] = (left[colour] ?? 0) - 1;
  return left;
}
