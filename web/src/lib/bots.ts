// The house's bots, under the names that the catalogue gives them.

import type { BotInfo } from "./api";
import { house } from "./net/house.svelte";
import { prefs } from "./prefs.svelte";

/** A bot's name in the reader's language, or its own name if the catalogue does not know it. */
export function botName(name: string): string {
  return told(`bot-${name}`) ?? name;
}

/** A bot's level in a word; simple bots have none. */
export function levelName(name: string): string | null {
  return told(`bot-${name}-level`);
}

/** A bot's character, in a line. */
export function characterOf(name: string): string | null {
  return told(`bot-${name}-character`);
}

/** A bot as offered in a choice: its name and level. */
export function botToChoose(name: string): string {
  return [botName(name), levelName(name)].filter(Boolean).join(" – ");
}

function told(code: string): string | null {
  return code in house.words ? house.say(code) : null;
}

/** A holder's name: for the house's bots the localised one, followed by a number if there are several. */
export function holderName(name: string, bot: string | null | undefined): string {
  return bot && name.startsWith(bot) ? botName(bot) + name.slice(bot.length) : name;
}

export function houseBots(): BotInfo[] {
  return house.bots.filter((bot) => bot.house);
}

/** The bot that was played against last, or the default for newcomers. */
export function usualBot(): string {
  const names = houseBots().map((bot) => bot.name);
  return names.find((name) => name === prefs.last.bot) ?? names.find((name) => name === house.usual) ?? names[0] ?? "";
}
