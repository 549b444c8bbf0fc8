// What a language has its own way of writing: lists, figures, percentages.

import { getLocale } from "../paraglide/runtime.js";

/** English as our words are written: "red, green and blue", without a comma before the last. */
const REGIONS: Readonly<Record<string, string>> = { en: "en-GB" };
const regionOf = (language: string): string => REGIONS[language] ?? language;

/** Formats take long to make and are asked for with every figure on the screen, so each is made once. */
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

/** "red, green and blue", or with "or" before the last. */
export function listed(items: readonly string[], last: "and" | "or" = "and", language: string = getLocale()): string {
  return (last === "or" ? any : all)(language).format(items);
}

/** A figure with one decimal at most, and a real minus sign. */
export function figure(value: number, language: string = getLocale()): string {
  return figures(language).format(value).replace("-", "−");
}

/** A change of a score: with its sign, whichever it is. */
export function signed(value: number, language: string = getLocale()): string {
  return value > 0 ? `+${figure(value, language)}` : figure(value, language);
}

/** Below this a share is shown with a decimal. */
const SMALL = 0.1;

/** A share, as a percentage. */
export function percent(share: number, language: string = getLocale()): string {
  return (share > 0 && share < SMALL ? smallShares : shares)(language).format(share);
}

/** The day of a moment, as short as people write it: with its year only where that is another one. */
export function day(time: number, language: string = getLocale(), now: number = Date.now()): string {
  const [year, thisYear] = [time, now].map((one) => new Date(one).getFullYear());
  return (year === thisYear ? days : daysOfYears)(language).format(time);
}

/** A text that begins with whatever stands in it, as a sentence does. */
export function capital(text: string, language: string = getLocale()): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}
