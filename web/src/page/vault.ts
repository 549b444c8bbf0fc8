// Storage for a page without a server: rows of bytes under keys, in the browser's IndexedDB.
//
// Python decides what the rows mean, which kinds there are and the version of their schema (genial.server.page.store).
// A write is one transaction: it is done once the browser has it on disk.

/** Texts and numbers, compared one after another; an empty list sorts after both, for the end of a span. */
export type Key = (string | number | [])[];

/** The location of a row: its kind and its key. */
export type Place = [kind: string, key: Key];

/** A row, or the expected state of one; null means there is none. */
export type Row = [kind: string, key: Key, value: Uint8Array | null];

/** All rows of a kind with keys from the first to the last. */
export type Span = [kind: string, lower: Key, upper: Key];

export type Failure = "newer" | "blocked" | "renewed" | "full" | "closed" | "failed";

/** Why nothing was read or written; `name` is for programs, the message for people. */
export class VaultError extends Error {
  constructor(
    public override readonly name: Failure,
    message: string,
  ) {
    super(message);
  }
}

export class Vault {
  #database: IDBDatabase | null = null;
  #gone: VaultError | null = null;
  readonly #name: string;

  /** `scope` is the address of the site: another site of the same origin has its own vault. */
  constructor(scope: string) {
    this.#name = `genial:${scope}`;
  }

  /** Open it. One with an older schema gets the kinds of rows that it lacks; one with a newer schema is refused. */
  open(shape: number, kinds: string[], patience = 5000): Promise<void> {
    return new Promise((resolve, reject) => {
      const asked = indexedDB.open(this.#name, shape);
      let late: ReturnType<typeof setTimeout> | undefined;
      asked.onupgradeneeded = () => {
        const there = asked.result.objectStoreNames;
        for (const kind of kinds) if (!there.contains(kind)) asked.result.createObjectStore(kind);
      };
      // Tabs running an older version let go at once (below), unless the browser has suspended one.
      asked.onblocked = () => {
        late ??= setTimeout(() => reject(new VaultError("blocked", "another tab holds it")), patience);
      };
      asked.onsuccess = () => {
        clearTimeout(late);
        this.#keep(asked.result);
        resolve();
      };
      asked.onerror = () => {
        clearTimeout(late);
        reject(failure(asked.error));
      };
    });
  }

  /** The values at these places, all read at the same moment. */
  async get(places: Place[]): Promise<(Uint8Array | null)[]> {
    if (places.length === 0) return [];
    const transaction = this.#begin(kindsOf(places), "readonly");
    const asked = places.map(([kind, key]) => transaction.objectStore(kind).get(key));
    await ended(transaction);
    return asked.map((each) => each.result ?? null);
  }

  /** The values of a span, in the order of their keys. */
  async read([kind, lower, upper]: Span, limit: number): Promise<Uint8Array[]> {
    const transaction = this.#begin([kind], "readonly");
    const asked = transaction.objectStore(kind).getAll(IDBKeyRange.bound(lower, upper), limit);
    await ended(transaction);
    return asked.result;
  }

  /** Delete spans, then put rows, all or nothing. Returns false, with nothing changed, if a row is not as expected. */
  async write(expected: Row[], puts: Row[], deletes: Span[]): Promise<boolean> {
    const kinds = kindsOf([...expected, ...puts, ...deletes]);
    if (kinds.length === 0) return true;
    const transaction = this.#begin(kinds, "readwrite");
    let isTaken = false;
    let left = expected.length;
    const change = () => {
      for (const [kind, lower, upper] of deletes) {
        transaction.objectStore(kind).delete(IDBKeyRange.bound(lower, upper));
      }
      for (const [kind, key, value] of puts) transaction.objectStore(kind).put(value, key);
    };
    if (left === 0) change();
    for (const [kind, key, value] of expected) {
      const asked = transaction.objectStore(kind).get(key);
      asked.onsuccess = () => {
        if (isTaken) return;
        isTaken = !same(asked.result, value);
        left -= 1;
        if (isTaken) transaction.abort();
        else if (left === 0) change();
      };
    }
    try {
      await ended(transaction);
    } catch (error) {
      if (!isTaken) throw error;
    }
    return !isTaken;
  }

  /** Close it. Writes in progress are completed. */
  close(): void {
    this.#letGo(new VaultError("closed", "it is closed"));
  }

  #keep(database: IDBDatabase): void {
    this.#database = database;
    if (this.#gone) database.close(); // it was closed while being opened
    // A newer version of the page upgrades the schema: it waits for us, and afterwards this version can't read it.
    database.onversionchange = () => this.#letGo(new VaultError("renewed", "a newer version has opened it"));
    // For example because the site's data was cleared.
    database.onclose = () => this.#letGo(new VaultError("closed", "the browser has closed it"));
  }

  #letGo(why: VaultError): void {
    this.#gone ??= why;
    this.#database?.close();
  }

  #begin(kinds: string[], mode: "readonly" | "readwrite"): IDBTransaction {
    if (this.#gone) throw this.#gone;
    if (!this.#database) throw new VaultError("closed", "it is not open");
    try {
      return this.#database.transaction(kinds, mode, { durability: "strict" });
    } catch (error) {
      throw failure(error);
    }
  }
}

function kindsOf(places: [string, ...unknown[]][]): string[] {
  return [...new Set(places.map(([kind]) => kind))];
}

function ended(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(failure(transaction.error));
  });
}

function same(there: Uint8Array | undefined, expected: Uint8Array | null): boolean {
  if (!there || !expected) return !there && !expected;
  return there.length === expected.length && there.every((byte, index) => byte === expected[index]);
}

function failure(error: unknown): VaultError {
  const { name = "", message = "" } = (error ?? {}) as Partial<Error>;
  const why: Record<string, Failure> = { QuotaExceededError: "full", VersionError: "newer" };
  return new VaultError(why[name] ?? "failed", `${name}: ${message}`);
}
