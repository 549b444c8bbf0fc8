// Calling somebody who looks elsewhere: the tab's title, a sound, and a notification if it is wished and allowed.

import type { EventData } from "./types";
import { type Sound, playSound } from "./sound";

/** What new events sound like; only the last of them is heard. */
export function soundOf(events: readonly EventData[], bonus: boolean): Sound | null {
  const last = events.findLast((event) => event.type !== "draw" && event.type !== "reshuffle");
  if (last?.type === "end") return "over";
  if (last?.type !== "place" && last?.type !== "play") return null;
  return bonus ? "bonus" : "place";
}

export interface Called {
  /** What stands in the tab while nothing is to be done. */
  title: string;
  /** The one sentence for the mover. */
  sentence: string;
  /** The same for all notifications of one table, so that two tabs show one. */
  tag: string;
  sound: boolean;
  notify: boolean;
}

/** It is the viewer's turn. */
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
    // Some phones let only installed pages notify.
  }
}

/** Ask for leave to notify; must be called by a person's deed. */
export async function mayNotify(): Promise<boolean> {
  if (typeof Notification === "undefined") return false;
  return (await Notification.requestPermission()) === "granted";
}
