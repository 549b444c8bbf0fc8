// Thinking time for display. The server decides when it runs out; this only counts down to that, by the client's clock.

import type { ClockView } from "./types";

/** The milliseconds a place has left, `since` milliseconds after the clock was received; null if it has no clock now.
    */
export function timeLeft(clock: ClockView, place: number, since: number): number | null {
  if (clock.mover === place && clock.deadline !== null) return Math.max(0, clock.deadline - clock.now - since);
  return clock.left[place] || null;
}

const SECOND = 1000;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** A readable time: 0:07, 12:30, 3:05:00, or days and hours. */
export function timeWords(milliseconds: number, language: string): string {
  const seconds = Math.ceil(milliseconds / SECOND);
  if (seconds >= 2 * DAY) {
    const unit = (value: number, name: string): string =>
      new Intl.NumberFormat(language, { style: "unit", unit: name, unitDisplay: "short" }).format(value);
    return `${unit(Math.floor(seconds / DAY), "day")} ${unit(Math.floor((seconds % DAY) / HOUR), "hour")}`;
  }
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / HOUR), Math.floor((seconds % HOUR) / 60)];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
