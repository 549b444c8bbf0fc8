// The service worker (public/sw.js): what it keeps, and when a new version takes over, which is never while a game is
// open in this page or another.

import { where } from "../where";

/** A lock held by every page with a game under way. */
export const GAME = `genial:${where.folder}:game`;
const HOUR = 3_600_000;

/** Whether this browser can keep the app at all: not without HTTPS, as on a home network. */
export const canKeep = "serviceWorker" in navigator && isSecureContext;

class Versions {
  /** A new version is waiting. */
  isNew = $state(false);
  /** It could take over now, but another page has a game open. */
  isBusy = $state(false);
  /** Whether everything that tables in this browser need is stored. */
  kept = $state<boolean | null>(null);
  /** Bytes fetched so far, out of how many, while fetching. */
  fetching = $state.raw<{ loaded: number; total: number } | null>(null);
  failed = $state(false);
  #registration: ServiceWorkerRegistration | null = null;

  async begin(): Promise<void> {
    if (!canKeep) return;
    try {
      const found = await navigator.serviceWorker.register(`${where.folder}sw.js`, { updateViaCache: "none" });
      this.#registration = found;
      found.addEventListener("updatefound", () => {
        found.installing?.addEventListener("statechange", () => this.#look());
      });
      this.#look();
      setInterval(() => void found.update().catch(() => undefined), HOUR);
      void this.look();
    } catch {
      // Registration failed; everything works without a service worker.
    }
  }

  /** Check whether the tables of this browser could run without a network. */
  async look(): Promise<void> {
    this.kept = canKeep && (await isKept());
  }

  /** Store everything that tables in this browser need, unless it is stored already. */
  async keep(): Promise<void> {
    if (this.fetching || !canKeep) return;
    await this.look();
    if (this.kept) return;
    this.failed = false;
    this.fetching = { loaded: 0, total: 0 };
    const told = await this.#ask("keep");
    this.fetching = null;
    this.failed = told !== "kept";
    await this.look();
  }

  async forget(): Promise<void> {
    await this.#ask("forget");
    await this.look();
  }

  /** Let the new version take over, unless a game is open somewhere; `reload` shows it at once. */
  async takeOver(reload: boolean): Promise<void> {
    const waiting = this.#registration?.waiting;
    if (!waiting) return;
    const isFree = await navigator.locks.request(GAME, { ifAvailable: true }, (lock) => lock !== null);
    this.isBusy = !isFree;
    if (!isFree) return;
    if (reload) navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    waiting.postMessage({ type: "take-over" });
  }

  #look(): void {
    const waiting = this.#registration?.waiting;
    this.isNew = Boolean(waiting && navigator.serviceWorker.controller);
    // A server always serves its newest pages, so the service worker may change behind them.
    if (this.isNew && !where.here) void this.takeOver(false);
  }

  /** Send the service worker a request that takes a while; returns its final answer. */
  async #ask(type: string): Promise<string> {
    const { active } = await navigator.serviceWorker.ready;
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
      port1.onmessage = ({ data }: MessageEvent<{ type: string; loaded: number; total: number }>) => {
        if (data.type === "progress") this.fetching = data;
        else resolve(data.type);
      };
      active?.postMessage({ type }, [port2]);
    });
  }
}

async function isKept(): Promise<boolean> {
  const engine = `${where.folder}engine/`;
  const list = await caches.match(`${engine}engine.json`);
  if (!list) return false;
  const parts = Object.values((await list.json()) as Record<string, { path?: string }>);
  const found = await Promise.all(parts.flatMap(({ path }) => (path ? [caches.match(engine + path)] : [])));
  return found.every(Boolean);
}

export const versions = new Versions();
