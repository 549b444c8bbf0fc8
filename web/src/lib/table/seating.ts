// Who sits where, and who looks: names, own seats, and the order in which the server's sides are shown.

import { holderName } from "../bots";
import { m } from "../../paraglide/messages.js";
import type { EventData, GameView, PlaceView, SideView, ViewData } from "./types";

export interface Side extends SideView {
  /** Whether the viewer plays for it. */
  own: boolean;
}

export interface Seating {
  /** By seat. */
  names: string[];
  /** The seats of the viewer. */
  own: ReadonlySet<number>;
  /** The viewer's own side; spectators have none. */
  mine: Side | null;
  /** In the order of play, from the one after the viewer on. */
  others: Side[];
  /** All: the others, then the own. */
  sides: Side[];
}

/** What is needed of a game to know its seats. */
type Seated = Pick<GameView, "places" | "sides"> & { view: Pick<ViewData, "viewer"> };

type Holder = Pick<PlaceView, "name"> & Partial<Pick<PlaceView, "bot">>;

const nameOf = (holder: Holder | undefined): string => (holder ? holderName(holder.name, holder.bot) : "");

/** The seats of a game as its viewer sees them. */
export function seating(game: Seated, places: readonly Holder[]): Seating {
  const names = game.places.map((place, seat) => nameOf(places[place]) || m.table_player({ number: seat + 1 }));
  const own = new Set(game.view.viewer);
  const sides = game.sides.map((side) => ({ ...side, own: side.seats.some((seat) => own.has(seat)) }));
  const at = sides.findIndex((side) => side.own);
  const ordered = [...sides.slice(at + 1), ...sides.slice(0, at + 1)];
  return { names, own, mine: sides[at] ?? null, others: at < 0 ? ordered : ordered.slice(0, -1), sides: ordered };
}

/** The seats of a side by name. */
export function sideName(side: SideView, names: readonly string[]): string {
  return side.seats.map((seat) => names[seat]).join(" + ");
}

/** Whether somebody else is at the table, or may still come: bots and one's own places do not count. */
export function hasOthers(places: readonly Pick<PlaceView, "kind" | "yours">[]): boolean {
  return places.some(({ kind, yours }) => kind !== "bot" && !yours);
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
