// How a finished game went for this device, in a few words.

import type { FinishedGame } from "../api";
import { holderName } from "../bots";
import { listed } from "../intl";
import { m } from "../../paraglide/messages.js";

export interface Outcome {
  /** "Won 13 to 10". */
  words: string;
  won: boolean;
  /** The other players, to be named and shown. */
  others: { name: string; bot: string | null }[];
}

/** The result from the viewer's side; if they held several places or none, it says who won. */
export function outcomeOf({ places, reason }: FinishedGame): Outcome {
  const own = places.filter(({ yours }) => yours);
  const mine = own[0];
  const others = places.filter((place) => !place.yours || own.length > 1);
  const told = { won: false, others: others.map(({ name, bot }) => ({ name: holderName(name, bot), bot })) };
  const first = places.filter(({ rank }) => rank === 1);
  if (!mine || own.length > 1) return { ...told, words: m.finished_won_by({ names: listed(first.map(({ name, bot }) => holderName(name, bot))) }) };
  if (places.length === 1) return { ...told, words: m.finished_alone({ mine: mine.figure }) };
  // Partners share the viewer's rank.
  const rivals = places.filter(({ rank }) => rank !== mine.rank);
  const theirs = Math.max(...(rivals.length ? rivals : others).map(({ figure }) => figure));
  // Somebody who leaves comes last, whatever the figures.
  const counted = !["resign", "time", "abandoned"].includes(reason);
  if (!rivals.length) return { ...told, words: m.finished_drawn({ mine: mine.figure, theirs }) };
  if (mine.rank === 1) return { ...told, won: true, words: counted ? m.finished_won({ mine: mine.figure, theirs }) : m.finished_won_left() };
  return { ...told, words: counted ? m.finished_lost({ mine: mine.figure, theirs }) : m.finished_lost_left() };
}
