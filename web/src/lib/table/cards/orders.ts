// Describes in one sentence what each order of a card's symbols does. It only compares the server's figures: if a
// colour gains more when the other is scored first, the other has cleared its way.

import { capital, listed } from "../../intl";
import { coloursOf } from "../../look/symbols";
import { m } from "../../../paraglide/messages.js";
import type { CardPoints, Translate } from "../types";

export interface Order {
  tile: string;
  /** The colour that is scored first. */
  first: number;
  sum: number;
  bonus: number;
  words: string;
}

/** The orders of one card, as given. */
export function ordersOf(cards: readonly CardPoints[], markers: readonly number[], t: Translate): Order[] {
  return cards.map((card) => {
    const [first, second] = coloursOf(card.tile) ?? [0, 0];
    const other = cards.find(({ tile }) => tile !== card.tile);
    return {
      tile: card.tile,
      first,
      sum: card.gain.reduce((a, b) => a + b, 0),
      bonus: card.bonus,
      words: wordsFor(first, second, card.gain, other?.gain ?? card.gain, markers, t),
    };
  });
}

function wordsFor(
  first: number,
  second: number,
  gain: readonly number[],
  otherwise: readonly number[],
  markers: readonly number[],
  t: Translate,
): string {
  const [one, two] = [t(`colour-${first}`), t(`colour-${second}`)];
  const of = (points: readonly number[], colour: number): number => points[colour] ?? 0;
  const reached = (colour: number): number => (markers[colour] ?? 0) + of(gain, colour);
  if (of(gain, second) > of(otherwise, second))
    return capital(m.table_clears({ first: one, second: two, place: reached(second) }));
  if (of(gain, first) < of(otherwise, first)) return capital(m.table_too_early({ first: one, second: two, place: reached(first) }));
  const up = [first, second].filter((colour) => of(gain, colour));
  if (!up.length) return m.table_no_points();
  return capital(listed(up.map((colour) => m.table_up_to({ colour: t(`colour-${colour}`), place: reached(colour) }))));
}
