// A result for reading: who came where is told by the server; this only finds the figures that show it.

import type { EventData, VariantInfo } from "./types";

export interface Standing {
  seats: number[];
  rank: number;
  /** Colours with their places, in the order in which they are compared. */
  markers: { colour: number; place: number }[];
  /** Duel: how many colours stand on the own side, and how far in all. */
  pegs: [number, number] | null;
  sum: number;
}

export interface Decision {
  /** Which comparison decided: 0 the lowest, 1 the next, ...; in the duel 0 the colours, 1 their distances. */
  index: number;
  winner: number;
  loser: number;
}

/** The sides in the order of their ranks. */
export function standings(result: EventData, info: VariantInfo): Standing[] {
  const found = new Map<string, Standing>();
  const ranks = result.ranks ?? [];
  const tracks = result.tracks ?? [];
  const sides = info.sides === "teams" ? 2 : ranks.length;
  ranks.forEach((rank, seat) => {
    const key = String(seat % sides);
    const there = found.get(key);
    if (there) {
      there.seats.push(seat);
      return;
    }
    const shared = info.sides === "shared";
    const places = (tracks[seat] ?? []).map((place) => (shared && seat === 1 ? -place || 0 : place));
    const markers = places.map((place, colour) => ({ colour, place }));
    const own = places.filter((place) => place > 0);
    found.set(key, {
      seats: [seat],
      rank,
      markers: shared ? markers : markers.sort((a, b) => a.place - b.place || a.colour - b.colour),
      pegs: shared ? [own.length, own.reduce((a, b) => a + b, 0)] : null,
      sum: places.reduce((a, b) => a + b, 0),
    });
  });
  return [...found.values()].sort((a, b) => a.rank - b.rank);
}

/** The first figures in which the winner and the next differ; null if there is none, or nobody to compare. */
export function decision(sides: Standing[]): Decision | null {
  const [first, second] = [sides[0], sides.find((side) => side.rank > 1)];
  if (!first || !second) return null;
  const figures = (side: Standing): number[] => side.pegs ?? side.markers.map(({ place }) => place);
  const [mine, others] = [figures(first), figures(second)];
  const index = mine.findIndex((figure, n) => figure !== others[n]);
  return index < 0 ? null : { index, winner: mine[index] ?? 0, loser: others[index] ?? 0 };
}
