// Whether the browser may evict what is stored here when space runs out.

class Storage {
  /** Null if the browser has not been asked, or cannot be. */
  isSafe = $state<boolean | null>(null);

  async look(): Promise<void> {
    this.isSafe = (await navigator.storage?.persisted?.()) ?? null;
  }

  /** Ask the browser to keep the data; it decides by itself or asks the user. */
  async ask(): Promise<void> {
    await this.look();
    if (this.isSafe === false) this.isSafe = await navigator.storage.persist();
  }
}

export const storage = new Storage();
