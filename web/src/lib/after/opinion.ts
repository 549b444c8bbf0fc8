// What the adviser thinks, in words a person understands.

import type { Judged } from "../api";
import { m } from "../../paraglide/messages.js";

/** Below this a share of the win is shown with a decimal. */
const SMALL = 0.1;

/** A share of the win, as a percentage. */
export function percent(share: number, language: string): string {
  const digits = share > 0 && share < SMALL ? 1 : 0;
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: digits }).format(share);
}

/** A figure with one decimal at most. */
export function figure(value: number, language: string): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value).replace("-", "−");
}

/** What a move is worth, in the unit of the advice. */
export function valueWords(value: number, unit: string | null, language: string): string {
  return unit === "share" ? percent(value, language) : figure(value, language);
}

/** What was given away: a part of the win, of the lowest marker, or points. */
export function amountWords(amount: number, unit: string | null, language: string): string {
  if (unit === "share") return m.amount_share({ percent: percent(amount, language) });
  if (unit === "lowest") return m.amount_lowest({ amount: figure(amount, language) });
  // What a bot without lookahead weighs has no name that a person knows.
  if (unit === "worth") return m.amount_worth({ amount: figure(amount, language) });
  return m.amount_points({ amount: figure(amount, language) });
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

/** The name of an error; nothing for a move that was none. */
export function markWords(verdict: Judged["verdict"]): string {
  return verdict === "mistake" ? m.mistake() : verdict === "slip" ? m.slip() : "";
}
