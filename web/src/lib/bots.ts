// The bots of the house, by the names that the catalogue has for them.

import type { BotInfo } from "./api";
import { house } from "./net/house.svelte";
import { prefs } from "./prefs.svelte";

/** What a bot is called in the reader's language; its own name where the catalogue does not know it. */
export function botName(name: string): string {
  return told(`bot-${name}`) ?? name;
}

/** The level of a bot in a word; simple bots have none. */
export function levelName(name: string): string | null {
  return told(`bot-${name}-level`);
}

/** What a bot is like, in a line. */
export function characterOf(name: string): string | null {
  return told(`bot-${name}-character`);
}

/** A bot where one chooses between them: by name and level. */
export function botToChoose(name: string): string {
  return [botName(name), levelName(name)].filter(Boolean).join(" – ");
}

function told(code: string): string | null {
  return code in house.words ? house.say(code) : null;
}

/** A holder's name: a bot of the house by the reader's word for it, with its number where there are several. */
export function holderName(name: string, bot: string | null | undefined): string {
  return bot && name.startsWith(bot) ? botName(bot) + name.slice(bot.length) : name;
}

export function houseBots(): BotInfo[] {
  return house.bots.filter((bot) => bot.house);
}

/** The bot that was played against last, or the one for newcomers. */
export function usualBot(): string {
  const names = houseBots().map((bot) => bot.name);
  return names.find((name) => name === prefs.last.bot) ?? names.find((name) => name === house.usual) ?? names[0] ?? "";
}
