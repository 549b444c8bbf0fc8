// The settings of a table, in words.

import type { TableSettings } from "./api";
import { span } from "./span";
import { m } from "../paraglide/messages.js";

/** The time limit. */
export function clockWords({ clock }: Pick<TableSettings, "clock">): string {
  if (clock?.move) return m.said_clock_move({ time: span(clock.move) });
  if (!clock?.total) return m.said_clock_none();
  const time = span(clock.total);
  return clock.increment ? m.said_clock_more({ time, more: span(clock.increment) }) : m.said_clock_total({ time });
}

/** For how many players, as people would say it of a game. */
export function peopleWords(seats: number): string {
  const words: Record<number, () => string> = { 2: m.for_2, 3: m.for_3, 4: m.for_4 };
  return words[seats]?.() ?? m.players({ count: seats });
}

/** What people want to know before they sit down, the time limit first. */
export function settingsWords(settings: TableSettings): string[] {
  const { games = 1, chat, start } = settings;
  return [
    clockWords(settings),
    ...(games > 1 ? [m.said_games({ count: games })] : []),
    ...(settings.public ? [m.said_public()] : []),
    settings.spectators ? m.said_watch() : m.said_no_watch(),
    settings.hints ? m.said_hints() : m.said_no_hints(),
    ...(settings.practice ? [m.said_practice()] : []),
    ...(settings.open_talk ? [m.said_open_talk()] : []),
    ...(chat === "phrases" ? [m.said_phrases()] : chat === "off" ? [m.said_no_chat()] : []),
    start === "host" ? m.said_host() : m.said_full(),
  ];
}
