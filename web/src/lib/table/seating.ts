// Who sits where, and who is looking: names, the viewer's seats, and the order in which the server's sides are shown.

import { holderName } from "../bots";
import { listed } from "../intl";
import { m } from "../../paraglide/messages.js";
import type { EventData, GameView, PlaceView, SideView } from "./types";

export interface Side extends SideView {
  /** Whether the viewer plays for it. */
  own: boolean;
}

export interface Seating {
  /** The viewer's seats. */
  own: ReadonlySet<number>;
  /** The viewer's own side; spectators have none. */
  mine: Side | null;
  /** In the order of play, starting after the viewer. */
  others: Side[];
  /** All sides: the others, then the viewer's own. */
  sides: Side[];
}

/** A player's mark: the viewer's own, or that of one of the others in the order of play. */
export interface Mark {
  own: boolean;
  other: number;
}

/** Each seat's mark. Teammates share one; for spectators the first seat is the one that stands out. */
export function marksOf({ sides, others, mine }: Seating): Mark[] {
  const first = mine ?? others[0] ?? null;
  const rest = sides.filter((side) => side !== first);
  const marks: Mark[] = [];
  for (const side of sides)
    for (const seat of side.seats) marks[seat] = { own: side === first, other: Math.max(0, rest.indexOf(side)) };
  return marks;
}

type Holder = Pick<PlaceView, "name"> & Partial<Pick<PlaceView, "bot">>;

const nameOf = (holder: Holder | undefined): string => (holder ? holderName(holder.name, holder.bot) : "");

/** The name of the player at each seat. */
export function namesOf(seats: GameView["places"], holders: readonly Holder[]): string[] {
  return seats.map((place, seat) => nameOf(holders[place]) || m.player_number({ number: seat + 1 }));
}

/** The sides of a game as the viewer sees them. */
export function seating(seen: readonly SideView[], viewer: readonly number[]): Seating {
  const own = new Set(viewer);
  const sides = seen.map((side) => sideOf(side, side.seats.some((seat) => own.has(seat))));
  const at = sides.findIndex((side) => side.own);
  const ordered = [...sides.slice(at + 1), ...sides.slice(0, at + 1)];
  return { own, mine: sides[at] ?? null, others: at < 0 ? ordered : ordered.slice(0, -1), sides: ordered };
}

const SIDES = new WeakMap<SideView, Side>();

/** An unchanged side keeps its object, so that its track is not redrawn. */
function sideOf(side: SideView, own: boolean): Side {
  const known = SIDES.get(side);
  if (known?.own === own) return known;
  const found = { ...side, own };
  SIDES.set(side, found);
  return found;
}

/** The seat of the viewer's only opponent; undefined for spectators, alone and against several. */
export function onlyOpponent({ mine, others }: Seating): number | undefined {
  const seats = others.flatMap((side) => side.seats);
  return mine && seats.length === 1 ? seats[0] : undefined;
}

/** The names of a side's players. */
export function sideName(side: SideView, names: readonly string[]): string {
  return listed(side.seats.map((seat) => names[seat] ?? ""));
}

/** Whether anyone else is at the table or may still come; bots and the viewer's own places do not count. */
export function hasOthers(places: readonly Pick<PlaceView, "kind" | "yours">[]): boolean {
  return places.some(({ kind, yours }) => kind !== "bot" && !yours);
}

/** The latest placements or cards: those of the current turn, or of the last one that ended. */
export function lastMoves(events: readonly EventData[]): EventData[] {
  const found: EventData[] = [];
  for (const event of events.toReversed()) {
    const isMove = event.type === "place" || event.type === "play";
    if (isMove && (!found.length || found[0]?.seat === event.seat)) found.unshift(event);
    else if (found.length) break;
  }
  return found;
}
