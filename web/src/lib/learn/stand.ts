// Where a lesson's bubble goes: next to what is lit, never over it, and clear of what is needed to do the task.

import { type Box, overlap } from "./holes";

export interface Size {
  width: number;
  height: number;
}

export interface Place extends Size {
  x: number;
  y: number;
  /** The edge of the bubble that points at what is lit, and how far along; null if it stands apart. */
  tip: { side: "top" | "bottom" | "left" | "right"; at: number } | null;
}

export interface Around {
  window: Box;
  /** What is lit, most important first. */
  lit: readonly Box[];
  /** What is needed to do the task. */
  needed: readonly Box[];
  /** What should preferably stay visible. */
  dear: readonly Box[];
  /** So large that part of it may be covered. */
  large: readonly Box[];
}

const MARGIN = 8;
const APART = 16;

/** The best place for a bubble of one of these sizes, given in order of preference. */
export function stand(sizes: readonly Size[], there: Around): Place {
  let best: Place | null = null;
  let least = Infinity;
  for (const [n, size] of sizes.entries()) {
    for (const place of places(size, there)) {
      const cost = costOf(place, there) + n * 60;
      if (cost < least) [best, least] = [place, cost];
    }
  }
  return best ?? { x: MARGIN, y: MARGIN, width: 0, height: 0, tip: null, ...sizes[0] };
}

function* places({ width, height }: Size, { window, lit }: Around): Generator<Place> {
  const [right, bottom] = [window.x + window.width - MARGIN - width, window.y + window.height - MARGIN - height];
  const clamp = (value: number, low: number, most: number): number => Math.max(low, Math.min(Math.max(low, most), value));
  const fit = (x: number, y: number): Pick<Place, "x" | "y"> => ({
    x: clamp(x, window.x + MARGIN, right),
    y: clamp(y, window.y + MARGIN, bottom),
  });
  for (const [n, box] of lit.entries()) {
    const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
    for (const share of [0.5, 0.25, 0.75, 0.1, 0.9]) {
      const { x } = fit(cx - width * share, 0);
      const { y } = fit(0, cy - height * share);
      const [atX, atY] = [clamp(cx - x, 28, width - 28), clamp(cy - y, 28, height - 28)];
      const tip = (side: "top" | "bottom" | "left" | "right", at: number): Place["tip"] => (n === 0 ? { side, at } : null);
      yield { width, height, x, y: box.y + box.height + APART, tip: tip("top", atX) };
      yield { width, height, x, y: box.y - APART - height, tip: tip("bottom", atX) };
      yield { width, height, x: box.x + box.width + APART, y, tip: tip("left", atY) };
      yield { width, height, x: box.x - APART - width, y, tip: tip("right", atY) };
    }
  }
  for (const x of [window.x + MARGIN, right, (window.x + MARGIN + right) / 2])
    for (const y of [window.y + MARGIN, bottom, (window.y + MARGIN + bottom) / 2]) yield { width, height, ...fit(x, y), tip: null };
}

/** The cost of a place: what it covers, and how far it is from what is lit. */
function costOf(place: Place, { window, lit, needed, dear, large }: Around): number {
  const covered = (boxes: readonly Box[]): number => boxes.reduce((sum, box) => sum + overlap(place, box), 0);
  const outside = place.width * place.height - overlap(place, window);
  const [first] = lit;
  const away = first ? distance(place, first) : 0;
  return outside * 100 + covered(lit) * 20 + covered(needed) * 4 + covered(dear) * 0.006 + covered(large) * 0.001 + away + (place.tip ? 0 : 40);
}

function distance(a: Box, b: Box): number {
  const across = Math.max(b.x - a.x - a.width, a.x - b.x - b.width, 0);
  const down = Math.max(b.y - a.y - a.height, a.y - b.y - b.height, 0);
  return Math.hypot(across, down);
}
