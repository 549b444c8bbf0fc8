// Which tile lies in which recess of the rack. The server sends a rack as a list that closes up when a tile is gone; on
// the rail every tile keeps its recess, and drawn tiles fill the empty ones. Nobody but the viewer knows the order.

import { coloursOf } from "../look/symbols";

/** The tile in each recess, or null. */
export type Slots = readonly (string | null)[];

/** The recesses for a rack, based on the previous ones: tiles that are still there stay, new ones fill the empty
    recesses. Of two identical tiles, the one that was `taken` is gone. */
export function settled(before: Slots, rack: readonly string[], room: number, taken = -1): Slots {
  const left = [...rack];
  const all: (string | null)[] = Array.from({ length: Math.max(room, rack.length) }, () => null);
  const slots = [...all.keys()].filter((slot) => slot !== taken);
  for (const slot of taken in all ? [...slots, taken] : slots) {
    const at = left.indexOf(before[slot] ?? "");
    if (at >= 0) all[slot] = left.splice(at, 1)[0] ?? null;
  }
  const found = all.map((tile) => tile ?? left.shift() ?? null);
  return found.length === before.length && found.every((tile, n) => tile === before[n]) ? before : found;
}

/** For each recess, the index of its tile in the server's rack. */
export function inRack(slots: Slots, rack: readonly string[]): (number | null)[] {
  const free = new Set(rack.keys());
  return slots.map((tile) => {
    const at = tile === null ? undefined : [...free].find((n) => rack[n] === tile);
    if (at === undefined) return null;
    free.delete(at);
    return at;
  });
}

/** Move a tile to another recess; the tile there takes its place. */
export function exchanged(slots: Slots, from: number, to: number): Slots {
  return slots.map((tile, n) => (n === from ? (slots[to] ?? null) : n === to ? (slots[from] ?? null) : tile));
}

/** By colour, empty recesses last. */
export function sorted(slots: Slots): Slots {
  const rank = (tile: string | null): number => {
    const [first, second] = (tile === null ? null : coloursOf(tile)) ?? [99, 99];
    return Math.min(first, second) * 100 + Math.max(first, second);
  };
  return slots.toSorted((a, b) => rank(a) - rank(b));
}
