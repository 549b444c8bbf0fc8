// One's own games that go on: who else sits there, and whose turn it is.

import type { MyTable } from "./api";
import { holderName } from "./bots";

export interface Going {
  table: MyTable;
  /** The others by name. */
  others: string[];
  isMine: boolean;
  /** Who else is to move. */
  mover: string | null;
}

const LIVELY = ["open", "running", "between"];

/** The games that go on, those that wait for oneself first. */
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
  };
}
