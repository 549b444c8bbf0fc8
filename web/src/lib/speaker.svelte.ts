// What is said aloud to those who cannot see it: one polite region for the whole page, one sentence at a time.

import { untrack } from "svelte";

class Speaker {
  said = $state("");

  say(text: string): void {
    // The same sentence twice is said twice: a region that does not change is silent.
    this.said = untrack(() => this.said) === text ? `${text}\u00a0` : text;
  }
}

export const speaker = new Speaker();
