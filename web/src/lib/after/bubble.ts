// Positions a bubble so that it points at something without covering it.

import { SMALL } from "../look/room";

export interface Spot {
  left: number;
  top: number;
  /** The tip: on the upper or lower edge, and how far from the left. */
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

/** Below the target, or above it if there is no room below; null if it fits in neither place. */
export function spotFor(size: { width: number; height: number }, target: Box, room: { width: number; height: number }): Spot | null {
  const middle = (target.left + target.right) / 2;
  const left = Math.min(Math.max(MARGIN, middle - size.width / 2), room.width - MARGIN - size.width);
  const at = Math.min(Math.max(CORNER, middle - left), size.width - CORNER);
  const below = target.bottom + APART;
  if (below + size.height <= room.height - MARGIN) return { left, top: below, tip: { side: "above", at } };
  const above = target.top - APART - size.height;
  return above >= MARGIN ? { left, top: above, tip: { side: "below", at } } : null;
}

/** How far a tile reaches from the centre of its first half, in drawing units. */
const TILE = 60;

/** Next to a tile, even one that is still moving there; null on small screens, where the styles place the bubble. */
export function beside(bubble: HTMLElement, tile: SVGGraphicsElement | null): Spot | null {
  const at = tile?.getScreenCTM();
  if (!at || matchMedia(SMALL).matches) return null;
  const { offsetWidth: width, offsetHeight: height } = bubble;
  const far = TILE * at.a;
  const around = { left: at.e - far, right: at.e + far, top: at.f - far, bottom: at.f + far };
  return spotFor({ width, height }, around, { width: innerWidth, height: innerHeight });
}
