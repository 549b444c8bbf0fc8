// Announcements for screen readers: one polite live region for the whole page, one sentence at a time.

import { untrack } from "svelte";

class Speaker {
  said = $state("");

  say(text: string): void {
    // A live region is announced only when it changes, so a repeated sentence gets a trailing space.
    this.said = untrack(() => this.said) === text ? `${text}\u00a0` : text;
  }
}

export const speaker = new Speaker();
