// How tiles and points move over a board: with transform and opacity only, and not at all if motion is not wanted.

import type { Point } from "../../look/geometry";

/** How far above the board a tile is held, in drawing units. */
export const LIFT = 7;
/** How deep it sinks when it is laid. */
const DEEP = 2;
const FLIGHT = 260;
const SETTLE = 180;
const COMING = 140;
const LEAVING = 240;
const FLY = "cubic-bezier(0.2, 0.8, 0.2, 1)";
const SPRING = "cubic-bezier(0.34, 1.4, 0.64, 1)";

/** Move something from elsewhere to where it is drawn. */
export function comeFrom(moved: SVGElement, [x, y]: Point, [toX, toY]: Point): Animation {
  const there = `translate(${x - toX}px, ${y - toY}px)`;
  return moved.animate({ transform: [there, "none"] }, { duration: FLIGHT, easing: FLY });
}

/** Move a tile from elsewhere (null if it is already held above) and let it sink into its place. */
export function layDown(moved: SVGElement, from: Point | null, [toX, toY]: Point): Animation {
  const held = `translate(0px, ${-LIFT}px)`;
  const sinks = [
    { transform: held, easing: "ease-in" },
    { transform: `translate(0px, ${DEEP}px)`, easing: "ease-out" },
    { transform: "none" },
  ];
  if (!from) return moved.animate(sinks, { duration: SETTLE });
  const whole = FLIGHT + SETTLE;
  const there = { transform: `translate(${from[0] - toX}px, ${from[1] - toY}px)`, opacity: 0.2, easing: FLY };
  const [first, ...rest] = sinks;
  const arrived = { ...first, opacity: 1, offset: FLIGHT / whole };
  return moved.animate([there, arrived, ...rest], { duration: whole });
}

/** When a tile has settled, in milliseconds from the start, if it comes from elsewhere or not: then its lines run. */
export function laidAfter(comes: boolean): number {
  return (comes ? FLIGHT : 0) + SETTLE * 0.6;
}

/** Stay for a while, then fade out. */
export function leave(moved: SVGElement, after: number): Animation {
  return moved.animate({ opacity: [1, 0] }, { delay: after, duration: LEAVING, fill: "forwards" });
}

/** Points stay where they were scored, then fly to where they count, or rise. */
export function rise(moved: SVGElement, after: number, stays: number, by: Point | null): Animation {
  const goes = by
    ? { transform: `translate(${by[0]}px, ${by[1]}px) scale(0.7)`, opacity: 0 }
    : { transform: "translate(0px, -16px)", opacity: 0 };
  const whole = COMING + stays + LEAVING;
  return moved.animate(
    [
      { transform: "translate(0px, 6px) scale(0.6)", opacity: 0, easing: SPRING },
      { transform: "none", opacity: 1, offset: COMING / whole },
      { transform: "none", opacity: 1, offset: (COMING + stays) / whole, easing: by ? "cubic-bezier(0.5, 0, 0.7, 0.9)" : "ease-in" },
      goes,
    ],
    { delay: after, duration: whole, fill: "both" },
  );
}
