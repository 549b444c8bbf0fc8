// Calling somebody who is looking elsewhere: the tab's title, a sound, and a notification if wanted and allowed.

import type { EventData } from "./types";
import { type Sound, playSound } from "./sound";

/** The sound of new events; only the last of them is heard. */
export function soundOf(events: readonly EventData[], bonus: boolean): Sound | null {
  const last = events.findLast((event) => event.type !== "draw" && event.type !== "reshuffle");
  if (last?.type === "end") return "over";
  if (last?.type !== "place" && last?.type !== "play") return null;
  return bonus ? "bonus" : "place";
}

export interface Called {
  /** The tab's title while there is nothing to do. */
  title: string;
  /** The sentence for the player to move. */
  sentence: string;
  /** The same for all notifications of one table, so that two tabs show only one. */
  tag: string;
  sound: boolean;
  notify: boolean;
}

/** Tell the viewer that it is their turn. */
export function callToTurn({ title, sentence, tag, sound, notify }: Called): void {
  if (sound) playSound("turn");
  if (!notify || document.visibilityState === "visible") return;
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
  try {
    const note = new Notification(title, { body: sentence, tag, icon: "/icon.svg" });
    note.onclick = () => {
      window.focus();
      note.close();
    };
  } catch {
    // Some phones allow notifications only from installed pages.
  }
}

/** Ask for permission to notify; must be called from a user gesture. */
export async function mayNotify(): Promise<boolean> {
  if (typeof Notification === "undefined") return false;
  return (await Notification.requestPermission()) === "granted";
}
