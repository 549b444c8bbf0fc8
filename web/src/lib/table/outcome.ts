// Who won and why, as somebody at the table would put it. Pure.

import type { PlaceView, ResultView, StandingView } from "../api";
import { listed } from "../intl";
import { m } from "../../paraglide/messages.js";
import type { Translate } from "./types";

/** The one side the viewer plays for; null for spectators and for those who play several sides on one screen. */
export function ownSide(standings: readonly StandingView[], own: ReadonlySet<number>): StandingView | null {
  const mine = standings.filter((side) => side.seats.some((seat) => own.has(seat)));
  return mine.length === 1 ? (mine[0] ?? null) : null;
}

/** The seats of this device, from who holds which place. */
export function ownSeats(places: readonly Pick<PlaceView, "yours">[], seats: readonly number[]): Set<number> {
  return new Set(seats.flatMap((place, seat) => (places[place]?.yours ? [seat] : [])));
}

export function sideNames(side: StandingView | undefined, names: readonly string[]): string {
  return listed((side?.seats ?? []).map((seat) => names[seat] ?? ""));
}

/** Won or lost, in a few words. */
export function headline(result: ResultView, own: ReadonlySet<number>, names: readonly string[]): string {
  const { standings } = result;
  if (standings.length === 1) return m.end_solo({ lowest: result.lowest });
  const winners = standings.filter((side) => side.rank === 1);
  if (winners.length > 1) return m.end_draw();
  if (winners[0] && winners[0] === ownSide(standings, own))
    return winners[0].seats.length > 1 ? m.end_team_won() : m.end_you_won();
  return m.end_won({ count: winners[0]?.seats.length ?? 1, name: sideNames(winners[0], names) });
}

/** What decided the game, with the figures and whose they are. */
export function decisive(result: ResultView, own: ReadonlySet<number>, names: readonly string[], t: Translate): string {
  const [first, second] = result.standings;
  if (!first || !result.code) return "";
  if (result.code !== "decided-lowest" || !second) return t(result.code, result.params);
  const mine = ownSide(result.standings, own);
  const [high, low] = [first.figures[0] ?? 0, second.figures[0] ?? 0];
  if (mine === first) return m.versus_won({ mine: high, theirs: low, name: sideNames(second, names) });
  if (mine === second) return m.versus_lost({ mine: low, theirs: high, name: sideNames(first, names) });
  return m.versus_others({ winner: sideNames(first, names), mine: high, theirs: low, name: sideNames(second, names) });
}

/** The colours behind a side's first figure: its lowest ones, or those it won. */
export function telling(side: StandingView): number[] {
  const ranked = side.figures.length === side.markers.length;
  return side.markers.flatMap(([colour, place]) => ((ranked ? place === side.figures[0] : place > 0) ? [colour] : []));
}

/** The colours whose comparison was decisive. This can be shown only for figures that are themselves markers. */
export function decidedBy(result: ResultView): number[] {
  const first = result.standings[0];
  if (!first || result.index === null) return [];
  if (first.figures.length !== first.markers.length) return telling(first);
  const marker = first.markers[result.index];
  return marker ? [marker[0]] : [];
}

/** A side's markers in the order of the colours. */
export function byColour(side: StandingView): number[] {
  const places: number[] = [];
  for (const [colour, place] of side.markers) places[colour] = place;
  return places;
}
