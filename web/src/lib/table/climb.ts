// How markers, bars and water lines move when points are scored: the tile settles first, then the marker climbs place
// by place, and the line that decides the game moves last. Resizing the window moves nothing.

import type { Action } from "svelte/action";
import { wantsStill } from "./motion.svelte";

/** In milliseconds: until a tile has flown and settled, for one place, for the water line. */
const SETTLED = 440;
const PLACE = 40;
const LINE = 300;
/** How long a placement is shown, as --told. All its animations end together: browsers clean up after each end. */
const TOLD = 1800;

export interface Climb {
  /** The place on the track. */
  place: number;
  /** The transform for a place. */
  to: (place: number) => string;
  /** The longest climb of any marker of this side: a water line waits for it. */
  after?: number;
}

/** When a climb begins and ends, as fractions of the whole. */
export function climbing(places: number, after?: number): [begin: number, end: number] {
  const begin = SETTLED + (after ?? 0) * PLACE;
  const lasts = after === undefined ? places * PLACE : LINE;
  return [Math.min(begin / TOLD, 0.9), Math.min((begin + lasts) / TOLD, 1)];
}

/** Animates an element when its place on the track changes. */
export const climb: Action<HTMLElement, Climb> = (node, given) => {
  let was = given.place;
  return {
    update({ place, to, after }) {
      if (place === was) return;
      const [begin, end] = climbing(Math.abs(place - was), after);
      const [from, there] = [{ transform: to(was) }, { transform: to(place) }];
      was = place;
      if (wantsStill()) return;
      const easing = after === undefined ? "linear" : "ease-in-out";
      node.animate([from, { ...from, offset: begin, easing }, { ...there, offset: end }, there], TOLD);
    },
  };
};
