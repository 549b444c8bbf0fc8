// What an aimed move would change for the viewer, in a sentence or two: which colours gain, and the new lowest.

import { capital, figure } from "../intl";
import { m } from "../../paraglide/messages.js";
import { colourWords } from "./tilewords";
import type { Brought, SideView, Translate } from "./types";

type Markers = Pick<SideView, "markers" | "weakest">;

/** Beyond this many, naming them says nothing. */
const MOST_NAMED = 2;

export function changeWords({ gain, bonus }: Brought, side: Markers | null, t: Translate): string {
  const then = bonus ? m.table_grow_bonus({ count: bonus }) : side?.weakest.length ? lowestWords(gain, side, t) : "";
  return [capital(growWords(gain, t)), capital(then)].filter(Boolean).join(" ");
}

function growWords(gain: readonly number[], t: Translate): string {
  const grown = gain.flatMap((points, colour) => (points ? [{ colour, points }] : [])).sort((a, b) => b.points - a.points);
  const [first, second] = grown;
  if (!first) return m.table_grow_none();
  const by = figure(first.points);
  if (!second) return m.table_grow_one({ colour: colourWords([first.colour], t), by });
  if (second.points === first.points) return m.table_grow_both({ colours: colourWords([first.colour, second.colour], t), by });
  return m.table_grow_each({
    first: colourWords([first.colour], t),
    by,
    second: colourWords([second.colour], t),
    less: figure(second.points),
  });
}

function lowestWords(gain: readonly number[], { markers, weakest }: Markers, t: Translate): string {
  const after = markers.map((marker, colour) => marker + (gain[colour] ?? 0));
  const least = Math.min(...after);
  const lowest = after.flatMap((marker, colour) => (marker === least ? [colour] : []));
  const count = lowest.length;
  if (count > MOST_NAMED) return "";
  const colours = colourWords(lowest, t);
  return count === weakest.length && least === markers[weakest[0] ?? 0]
    ? m.table_weakest_stays({ colours, count })
    : m.table_weakest_now({ colours, count, by: figure(least) });
}
