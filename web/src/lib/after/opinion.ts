// The adviser's opinion in plain words.

import type { Judged } from "../api";
import { figure, percent } from "../intl";
import { m } from "../../paraglide/messages.js";

/** What a move is worth, in the unit of the advice. */
export function valueWords(value: number, unit: string | null, language: string): string {
  return unit === "share" ? percent(value, language) : figure(value, language);
}

/** What a move cost: winning chance, points in the lowest colour, or points. */
export function amountWords(value: number, unit: string | null, language: string): string {
  if (unit === "share") return m.amount_share({ percent: percent(value, language) });
  const amount = figure(value, language);
  // The unit that a bot without lookahead uses has no everyday name.
  if (unit === "worth") return m.amount_worth({ amount });
  // Singular or plural follows the displayed figure: 1.04 is shown as "1".
  const count = Math.round(value * 10) / 10;
  return unit === "lowest" ? m.amount_lowest({ amount, count }) : m.amount_points({ amount, count });
}

/** One sentence about a move. */
export function verdictWords(judged: Judged, unit: string | null, language: string): string {
  const amount = amountWords(judged.given_away, unit, language);
  if (judged.move === "refill") return judged.verdict === "best" ? m.kept_best() : m.kept_worse({ amount });
  switch (judged.verdict) {
    case "best":
      return m.verdict_best();
    case "fine":
      return m.verdict_fine({ amount });
    case "slip":
      return m.verdict_slip({ amount });
    case "mistake":
      return m.verdict_mistake({ amount });
  }
}

/** The name of an error; empty for a move that is not one. */
export function markWords(verdict: Judged["verdict"]): string {
  return verdict === "mistake" ? m.mistake() : verdict === "slip" ? m.slip() : "";
}
