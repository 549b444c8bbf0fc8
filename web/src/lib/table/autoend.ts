// When a turn ends automatically. Playing against bots alone, it ends as soon as there is nothing left to decide, after
// a moment in which to take back. Among people it ends only for those who asked for it, and then every turn takes
// equally long, whether or not a swap is possible: the time must not reveal anything about a rack.

import type { PlaceView } from "./types";

/** This device's preference: always, never, or (null) only when playing against bots alone. */
export type EndingWish = boolean | null;

/** Time in which to take back, in milliseconds. */
export const MOMENT = 1600;
/** The same for every turn among people. */
export const AMONG_PEOPLE = 5000;

export interface Company {
  places: readonly Pick<PlaceView, "kind" | "yours">[];
  /** The number of spectators. */
  watching: number;
}

/** Whether only bots see what the viewer does. Several places of the viewer's are people sharing the device. */
export function aloneWithBots({ places, watching }: Company): boolean {
  const people = places.filter(({ kind }) => kind !== "bot");
  return watching === 0 && people.length === 1 && people.every(({ yours }) => yours);
}

/** After how many milliseconds a turn with nothing left to place ends automatically; null: never. */
export function endsAfter(wish: EndingWish, alone: boolean, swap: boolean): number | null {
  if (alone) return wish === false || swap ? null : MOMENT;
  return wish === true ? AMONG_PEOPLE : null;
}
