// The viewer's games in progress: who else plays, and whose turn it is.

import type { MyTable } from "./api";
import { holderName } from "./bots";
import { house } from "./net/house.svelte";

export interface Going {
  table: MyTable;
  /** The names of the others. */
  others: string[];
  isMine: boolean;
  /** Who is to move, if not the viewer. */
  mover: string | null;
  /** The viewer's lowest colour (or colours won) and the best of the others'; null if there is nothing to compare. */
  standing: { mine: number; theirs: number } | null;
}

const LIVELY = ["open", "running", "between"];

/** The games in progress, those waiting for the viewer first. */
export function goingOf(tables: readonly MyTable[], most: number): Going[] {
  const found = tables.filter(({ status }) => LIVELY.includes(status)).map(goingAt);
  return [...found.filter(({ isMine }) => isMine), ...found.filter(({ isMine }) => !isMine)].slice(0, most);
}

function goingAt(table: MyTable): Going {
  const others = table.places.filter(({ yours, kind }) => !yours && kind !== "open");
  const mover = table.mover === null ? undefined : table.places[table.mover];
  const isMine = Boolean(mover?.yours && !mover.away);
  return {
    table,
    others: others.map(({ name, bot }) => holderName(name, bot)),
    isMine,
    mover: mover && !isMine ? holderName(mover.name, mover.bot) : null,
    standing: standingAt(table),
  };
}

/** How the viewer stands against the others. Partners share the viewer's figure and do not count among the others. */
function standingAt({ places, figures, variant }: MyTable): Going["standing"] {
  const own = places.flatMap(({ yours }, place) => (yours ? [place] : []));
  const mine = figures[own[0] ?? -1];
  if (own.length !== 1 || mine === undefined) return null;
  const teams = house.variant(variant)?.sides === "teams";
  const theirs = figures.filter((_, place) => (teams ? (place - (own[0] ?? 0)) % 2 : place !== own[0]));
  return theirs.length ? { mine, theirs: Math.max(...theirs) } : null;
}
