// Where a bubble stands so that it points to something without covering it.

import { SMALL } from "../look/room";

export interface Spot {
  left: number;
  top: number;
  /** Where its tip is: on the upper or lower side, so far from the left. */
  tip: { side: "above" | "below"; at: number } | null;
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const APART = 26;
const MARGIN = 8;
const CORNER = 28;

/** Below what it points to, or above it where there is no room; null where it must stand where it stands. */
export function spotFor(size: { width: number; height: number }, target: Box, room: { width: number; height: number }): Spot | null {
  const middle = (target.left + target.right) / 2;
  const left = Math.min(Math.max(MARGIN, middle - size.width / 2), room.width - MARGIN - size.width);
  const at = Math.min(Math.max(CORNER, middle - left), size.width - CORNER);
  const below = target.bottom + APART;
  if (below + size.height <= room.height - MARGIN) return { left, top: below, tip: { side: "above", at } };
  const above = target.top - APART - size.height;
  return above >= MARGIN ? { left, top: above, tip: { side: "below", at } } : null;
}

/** As far as a tile reaches from the middle of its first half, in the units of its drawing. */
const TILE = 60;

/** Beside a tile, which may still be on its way there; on small screens the styles say where. */
export function beside(bubble: HTMLElement, tile: SVGGraphicsElement | null): Spot | null {
  const at = tile?.getScreenCTM();
  if (!at || matchMedia(SMALL).matches) return null;
  const { offsetWidth: width, offsetHeight: height } = bubble;
  const far = TILE * at.a;
  const around = { left: at.e - far, right: at.e + far, top: at.f - far, bottom: at.f + far };
  return spotFor({ width, height }, around, { width: innerWidth, height: innerHeight });
}
