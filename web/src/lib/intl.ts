// What each language writes in its own way: lists, figures, percentages.

import { getLocale } from "../paraglide/runtime.js";

/** Our texts use British English: "red, green and blue", without a comma before the last. */
const REGIONS: Readonly<Record<string, string>> = { en: "en-GB" };
const regionOf = (language: string): string => REGIONS[language] ?? language;

/** Formatters are slow to create and needed for every figure on the screen, so each is created once. */
function kept<Format>(make: (region: string) => Format): (language: string) => Format {
  const made = new Map<string, Format>();
  return (language) => {
    const region = regionOf(language);
    const found = made.get(region) ?? make(region);
    made.set(region, found);
    return found;
  };
}

const all = kept((region) => new Intl.ListFormat(region, { type: "conjunction" }));
const any = kept((region) => new Intl.ListFormat(region, { type: "disjunction" }));
const figures = kept((region) => new Intl.NumberFormat(region, { maximumFractionDigits: 1 }));
const shares = kept((region) => new Intl.NumberFormat(region, { style: "percent", maximumFractionDigits: 0 }));
const smallShares = kept((region) => new Intl.NumberFormat(region, { style: "percent", maximumFractionDigits: 1 }));

const DAY = { day: "numeric", month: "short" } as const;
const days = kept((region) => new Intl.DateTimeFormat(region, DAY));
const daysOfYears = kept((region) => new Intl.DateTimeFormat(region, { ...DAY, year: "numeric" }));

/** "red, green and blue", or "or" before the last item. */
export function listed(items: readonly string[], last: "and" | "or" = "and", language: string = getLocale()): string {
  return (last === "or" ? any : all)(language).format(items);
}

/** A figure with at most one decimal and a real minus sign. */
export function figure(value: number, language: string = getLocale()): string {
  return figures(language).format(value).replace("-", "−");
}

/** A change of score, always with its sign. */
export function signed(value: number, language: string = getLocale()): string {
  return value > 0 ? `+${figure(value, language)}` : figure(value, language);
}

/** Shares below this are shown with a decimal. */
const SMALL = 0.1;

/** A share, as a percentage. */
export function percent(share: number, language: string = getLocale()): string {
  return (share > 0 && share < SMALL ? smallShares : shares)(language).format(share);
}

/** A date as people write it, with the year only if it is not the current one. */
export function day(time: number, language: string = getLocale(), now: number = Date.now()): string {
  const [year, thisYear] = [time, now].map((one) => new Date(one).getFullYear());
  return (year === thisYear ? days : daysOfYears)(language).format(time);
}

/** A text with a capital first letter, as at the beginning of a sentence. */
export function capital(text: string, language: string = getLocale()): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}
