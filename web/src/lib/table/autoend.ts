// When a turn ends by itself. Alone with bots it ends as soon as there is nothing left to decide, after a moment to take
// back. Among people it does so only for who asked for it, and then every turn takes equally long, a swap open or not:
// the time it takes must tell nobody anything about a rack.

import type { PlaceView } from "./types";

/** What this device wishes: always, never, or (null) alone with bots. */
export type EndingWish = boolean | null;

/** A moment to take back, in milliseconds. */
export const MOMENT = 1600;
/** The same for every turn among people. */
export const AMONG_PEOPLE = 5000;

export interface Company {
  places: readonly Pick<PlaceView, "kind" | "yours">[];
  /** How many watch. */
  watching: number;
}

/** Whether nobody but bots sees what one does. Several own places are people who pass the device on. */
export function aloneWithBots({ places, watching }: Company): boolean {
  const people = places.filter(({ kind }) => kind !== "bot");
  return watching === 0 && people.length === 1 && people.every(({ yours }) => yours);
}

/** After how many milliseconds a turn with nothing more to place ends by itself; null: never. */
export function endsAfter(wish: EndingWish, alone: boolean, swap: boolean): number | null {
  if (alone) return wish === false || swap ? null : MOMENT;
  return wish === true ? AMONG_PEOPLE : null;
}
