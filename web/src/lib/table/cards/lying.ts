// Open cards, each with an identity for as long as it lies there.

/** An open card with an id that stays the same for as long as it lies there. */
export interface Lying {
  id: number;
  tile: string;
}

let ids = 0;

/** A row as it is now: the oldest leave at the front, new ones arrive at the end. */
export function lying(before: readonly Lying[], row: readonly string[]): Lying[] {
  const gone = before.findIndex((_, n) => before.slice(n).every(({ tile }, k) => tile === row[k]));
  const kept = gone < 0 ? [] : before.slice(gone);
  return [...kept, ...row.slice(kept.length).map((tile) => ({ id: (ids += 1), tile }))];
}
