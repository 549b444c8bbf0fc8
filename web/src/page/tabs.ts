// Several tabs of one site: what they tell each other, and which of them holds what.
//
// Python decides what is said and what the names mean (genial.server.page.tabs). A name is held by one tab at a time
// and becomes free when that tab goes away, however it does: the browser sees to that.

export type Told = (what: "heard" | "gained" | "lost", text: string) => void;

export class Tabs {
  readonly #prefix: string;
  readonly #channel: BroadcastChannel;
  readonly #held = new Map<string, () => void>();
  readonly #wanted = new Map<string, AbortController>();
  #told: Told = () => {};

  /** `scope` is the address of the site: tabs of another site of the same origin are ignored. */
  constructor(scope: string) {
    this.#prefix = `genial:${scope}:`;
    this.#channel = new BroadcastChannel(`genial:${scope}`);
    this.#channel.onmessage = ({ data }) => this.#told("heard", data);
  }

  /** Set the callback for messages of other tabs, wanted names that are now ours, and names another tab has taken. */
  listen(told: Told): void {
    this.#told = told;
  }

  /** Tell all other tabs. */
  say(text: string): void {
    this.#channel.postMessage(text);
  }

  /** Hold a name from now on if no tab does. Returns whether it is ours. */
  async claim(name: string): Promise<boolean> {
    return this.#held.has(name) || this.#request(name, { ifAvailable: true });
  }

  /** Hold a name from now on, taking it from another tab if necessary. */
  async take(name: string): Promise<void> {
    this.#unwant(name);
    if (!this.#held.has(name)) await this.#request(name, { steal: true });
  }

  /** Hold a name as soon as no other tab does; reported when it happens. */
  want(name: string): void {
    if (this.#held.has(name) || this.#wanted.has(name)) return;
    const wish = new AbortController();
    this.#wanted.set(name, wish);
    void this.#request(name, { signal: wish.signal }).then((granted) => {
      if (this.#wanted.get(name) === wish) this.#wanted.delete(name);
      if (granted) this.#told("gained", name);
    });
  }

  /** Stop holding a name, or wanting it. */
  release(name: string): void {
    this.#unwant(name);
    const free = this.#held.get(name);
    this.#held.delete(name);
    free?.();
  }

  /** All names that tabs of this site hold. */
  async held(): Promise<string[]> {
    const { held = [] } = await navigator.locks.query();
    const names = held.map(({ name = "" }) => name);
    return names.filter((name) => name.startsWith(this.#prefix)).map((name) => name.slice(this.#prefix.length));
  }

  close(): void {
    this.#told = () => {};
    this.#channel.close();
    for (const name of [...this.#held.keys(), ...this.#wanted.keys()]) this.release(name);
  }

  #unwant(name: string): void {
    this.#wanted.get(name)?.abort();
    this.#wanted.delete(name);
  }

  /** Resolves to whether the name is held now: false if it is not available, or no longer wanted. */
  #request(name: string, options: LockOptions): Promise<boolean> {
    return new Promise((resolve) => {
      let free: (() => void) | undefined;
      const hold = (lock: Lock | null): Promise<void> | undefined => {
        resolve(lock !== null);
        if (lock === null) return undefined;
        return new Promise((done) => {
          free = done;
          this.#held.set(name, done);
        });
      };
      navigator.locks.request(this.#prefix + name, options, hold).catch(() => {
        resolve(false);
        if (free === undefined || this.#held.get(name) !== free) return;
        this.#held.delete(name);
        this.#told("lost", name);
      });
    });
  }
}
