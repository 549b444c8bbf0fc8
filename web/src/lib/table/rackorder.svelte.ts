// The order of the viewer's own tiles or cards: the recesses of the rack (slots.ts), for each game and seat. It is
// stored on this device, so that nothing moves on a reload; on a shared device only while the page is open.

import type { Play } from "./play.svelte";
import { type Slots, exchanged, inRack, settled, sorted } from "./slots";

const KEY = "genial-racks";
/** The oldest are forgotten. */
const MOST = 12;

export class RackOrder {
  readonly #known = new Map<string, Slots>();
  #arranged = $state(0);
  #taken = -1;

  constructor(private readonly play: Play) {}

  readonly #of = $derived.by(() => {
    const { table, game, own } = this.play;
    return game && own !== null ? `${table.id}/${game.number}/${own}` : null;
  });
  readonly slots = $derived.by((): Slots => {
    void this.#arranged;
    const { rack, info } = this.play;
    // Behind a curtain the tiles are unknown, and their order must not be forgotten.
    if (this.#of === null || rack.some((tile) => tile.includes("?"))) return settled([], rack, info.rack);
    const found = settled(this.#known.get(this.#of) ?? this.#read(this.#of), rack, info.rack, this.#taken);
    this.#known.set(this.#of, found);
    return found;
  });
  /** For each recess, the index in the rack of the tile there. */
  readonly places = $derived.by(() => inRack(this.slots, this.play.rack));

  /** The recess of a tile. */
  slotOf(n: number): number {
    return this.places.indexOf(n);
  }

  /** A tile is on its way to the board: it will be the one that is gone. */
  leaves(n: number | null): void {
    this.#taken = n === null ? -1 : this.slotOf(n);
  }

  exchange(from: number, to: number): void {
    this.#arrange(exchanged(this.slots, from, to));
  }

  sort(): void {
    this.#arrange(sorted(this.slots));
  }

  #arrange(slots: Slots): void {
    if (this.#of === null) return;
    this.#known.set(this.#of, slots);
    this.#arranged++;
  }

  /** Store the current order. */
  keep(): void {
    const { slots } = this;
    const alone = this.play.table.places.filter(({ yours }) => yours).length === 1;
    if (this.#of !== null && alone && this.#known.has(this.#of)) keep(this.#of, slots);
  }

  #read(of: string): Slots {
    return kept().find(([key]) => key === of)?.[1] ?? [];
  }
}

function kept(): [string, Slots][] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter(isKept) : [];
  } catch {
    return []; // The browser stores nothing, or something else under this name.
  }
}

function isKept(one: unknown): one is [string, Slots] {
  return Array.isArray(one) && typeof one[0] === "string" && Array.isArray(one[1]) && one[1].every((tile) => tile === null || typeof tile === "string");
}

function keep(of: string, slots: Slots): void {
  try {
    const others = kept().filter(([key]) => key !== of);
    localStorage.setItem(KEY, JSON.stringify([...others, [of, slots]].slice(-MOST)));
  } catch {
    // As above.
  }
}
