// Whether the browser may throw away what is kept here when room gets scarce.

class Storage {
  /** Null: it has not been asked, or cannot be. */
  isSafe = $state<boolean | null>(null);

  async look(): Promise<void> {
    this.isSafe = (await navigator.storage?.persisted?.()) ?? null;
  }

  /** Ask for it to be kept; browsers decide by themselves, or ask. */
  async ask(): Promise<void> {
    await this.look();
    if (this.isSafe === false) this.isSafe = await navigator.storage.persist();
  }
}

export const storage = new Storage();
