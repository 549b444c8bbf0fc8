// Who sits where, and who looks: names, own seats, and the order in which sides are shown.

import type { EventData, TableView, Translate, VariantInfo, ViewData } from "./types";

export interface Side {
  /** The number of its track in the view. */
  track: number;
  seats: number[];
  /** Whether the viewer plays for it. */
  own: boolean;
  /** The seat through whose eyes the markers are shown: the pegs of the duel turn round. */
  eye: number;
  markers: number[];
  /** The colours whose markers stand lowest. */
  lowest: number[];
}

export interface Seating {
  /** By seat. */
  names: string[];
  /** The seats of the viewer. */
  own: ReadonlySet<number>;
  /** The viewer's own side last. */
  sides: Side[];
}

/** The seats of a table as its viewer sees them. */
export function seating(table: TableView, info: VariantInfo, t: Translate): Seating {
  const { game, places } = table;
  if (!game) return { names: [], own: new Set(), sides: [] };
  const view = game.view;
  const names = game.places.map(
    (place, seat) => places[place]?.name || t("table-player", { number: seat + 1 }),
  );
  const own = new Set(info.solo ? [0] : view.viewer);
  const count = view.tracks.length;
  const sides = view.tracks.map((_, track) => side(view, info, track, own));
  const first = own.size ? (Math.min(...own) % count) + 1 : 0;
  return { names, own, sides: sides.map((_, n) => sides[(first + n) % count] as Side) };
}

/** The markers of a track through the eyes of a seat: shared pegs are positive towards the one who looks. */
export function markersOf(view: ViewData, info: VariantInfo, seat: number): number[] {
  const markers = view.tracks[seat % view.tracks.length] ?? [];
  return info.sides === "shared" && seat === 1 ? markers.map((place) => -place || 0) : markers;
}

/** The colours that stand lowest. A shared peg at the end of its way is won and counts no more. */
export function lowestOf(markers: readonly number[], info: VariantInfo): number[] {
  const [low, high] = info.track;
  const moving = markers.map((place) => low >= 0 || (place > low && place < high));
  const least = Math.min(...markers.filter((_, n) => moving[n]));
  return markers.flatMap((place, n) => (moving[n] && place === least ? [n] : []));
}

/** The seats of a side by name, the mover's name first for nobody: partners keep their order. */
export function sideName(side: Side, names: readonly string[]): string {
  return side.seats.map((seat) => names[seat]).join(" + ");
}

/** The last placements or cards: those of the turn at hand, or of the last one that ended. */
export function lastMoves(events: readonly EventData[]): EventData[] {
  const found: EventData[] = [];
  for (const event of events.toReversed()) {
    const isMove = event.type === "place" || event.type === "play";
    if (isMove && (!found.length || found[0]?.seat === event.seat)) found.unshift(event);
    else if (found.length) break;
  }
  return found;
}

function side(view: ViewData, info: VariantInfo, track: number, own: ReadonlySet<number>): Side {
  const shared = info.sides === "shared";
  // Partners sit opposite each other, so seats take turns between the tracks.
  const seats = Array.from({ length: view.seats }, (_, seat) => seat).filter(
    (seat) => seat % view.tracks.length === track,
  );
  const eye = shared ? (own.has(1) && !own.has(0) ? 1 : 0) : (seats[0] ?? 0);
  const markers = markersOf(view, info, eye);
  const isOwn = seats.some((seat) => own.has(seat));
  // Pegs are worst for one player where they are best for the other: only the viewer's are notched.
  const lowest = shared && !isOwn ? [] : lowestOf(markers, info);
  return { track, seats, own: isOwn, eye, markers, lowest };
}
