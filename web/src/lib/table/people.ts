// The people who can be heard at a table: the other players, and the spectators who have spoken.

import type { PlaceView, TableView } from "../api";
import { holderName } from "../bots";
import { listed } from "../intl";

/** A player's mark wherever they are named, as drawn by `look/Pennant`. */
export interface PlayerMark {
  own: boolean;
  /** Which of the others, in the order of play after the viewer. */
  other: number;
}

/** The mark of a place's holder; partners share one. Null for people who do not play. */
export function markAt(places: readonly Pick<PlaceView, "yours">[], place: number | null | undefined, teams = false): PlayerMark | null {
  if (place == null || place < 0 || place >= places.length) return null;
  const sides = teams ? 2 : places.length;
  const mine = places.findIndex((holder) => holder.yours);
  const steps = (place - mine + places.length) % sides;
  if (mine < 0) return { own: false, other: place % sides };
  return { own: steps === 0, other: Math.max(steps - 1, 0) };
}

export interface Person {
  /** Stands for a device at this table, and at no other. */
  mark: string;
  name: string;
  /** The first place they hold; null for a spectator. */
  place: number | null;
  muted: boolean;
}

/** Everybody else, players first; `own` is the viewer's own mark, if known. */
export function peopleOf(table: Pick<TableView, "places" | "chat" | "muted">, own: string | null): Person[] {
  const found = new Map<string, { names: string[]; place: number | null }>();
  const mine = new Set([own, ...table.places.flatMap((holder) => (holder.yours ? [holder.mark] : []))]);
  const meet = (mark: string | undefined, name: string, place: number | null): void => {
    if (!mark || mine.has(mark)) return;
    const known = found.get(mark);
    // A device may hold several places; a spectator goes by their latest name.
    if (!known) found.set(mark, { names: [name], place });
    else if (place !== null && known.place !== null) known.names.push(name);
    else if (known.place === null) known.names = [name];
  };
  table.places.forEach((holder, place) => meet(holder.mark, holderName(holder.name, holder.bot), place));
  for (const said of table.chat) meet(said.mark, said.name ?? "", null);
  return [...found].map(([mark, { names, place }]) => ({ mark, name: listed(names), place, muted: table.muted.includes(mark) }));
}
