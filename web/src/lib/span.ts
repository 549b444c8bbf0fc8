// Durations in words.

import { m } from "../paraglide/messages.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration in the largest unit that expresses it exactly. */
export function span(seconds: number): string {
  if (seconds && seconds % DAY === 0) return m.days({ count: seconds / DAY });
  if (seconds && seconds % HOUR === 0) return m.hours({ count: seconds / HOUR });
  if (seconds && seconds % MINUTE === 0) return m.minutes({ count: seconds / MINUTE });
  return m.seconds({ count: seconds });
}

/** The durations between two bounds. */
export function within(spans: readonly number[], [low, high]: readonly [number, number]): number[] {
  return spans.filter((seconds) => seconds >= low && seconds <= high);
}
