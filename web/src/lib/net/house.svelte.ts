// What this house offers: titles, bots, boards, texts. Fetched once and shared by all pages.

import type { BoardInfo, BotInfo, Catalogue, ErrorData, Hello, TableOptions, VariantInfo } from "../api";
import { prefs } from "../prefs.svelte";
import { type Params, rendered } from "../words";
import { Refusal, Unreachable, call } from "./http";
import { m } from "../../paraglide/messages.js";

class House {
  ready = $state(false);
  failed = $state(false);
  hello = $state.raw<Hello | null>(null);
  colours = $state("");
  variants = $state.raw<VariantInfo[]>([]);
  bots = $state.raw<BotInfo[]>([]);
  /** The bot for those who have not chosen one yet. */
  usual = $state("");
  /** The settings a table may be created with; available once the house is ready. */
  options = $state.raw<TableOptions | null>(null);
  #words = $state.raw<Record<string, Catalogue["messages"]>>({});
  #boards = new Map<string, Promise<BoardInfo>>();

  /** Register this device, and find out what the house offers. */
  async open(): Promise<void> {
    this.failed = false;
    try {
      this.hello = await call("POST /api/hello"); // sets the cookie, which the other calls need
      const [variants, bots, options] = await Promise.all([
        call("GET /api/variants"),
        call("GET /api/bots"),
        call("GET /api/options"),
        this.speak(prefs.language),
      ]);
      this.colours = variants.colours;
      this.variants = variants.variants;
      this.bots = bots.bots;
      this.usual = bots.usual;
      this.options = options;
      this.ready = true;
    } catch {
      this.failed = true;
    }
  }

  /** Whether the house offers something that only some do. What a page shows depends on this, never on where it runs.
      */
  can(what: Hello["can"][number]): boolean {
    return this.hello?.can.includes(what) ?? false;
  }

  /** Load the catalogue of a language. */
  async speak(language: string): Promise<void> {
    if (this.#words[language]) return;
    const found = await call("GET /api/messages/{code}", { path: { code: language } });
    this.#words = { ...this.#words, [language]: found.messages };
  }

  /** A code of the engine or the server in words. */
  say(code: string, params: Params = {}): string {
    const { variant } = params;
    const named = typeof variant === "string" ? { ...params, variant: this.titleOf(variant) } : params;
    return rendered(this.#words[prefs.language] ?? {}, code, named, prefs.language);
  }

  /** Every message of the current language. */
  get words(): Catalogue["messages"] {
    return this.#words[prefs.language] ?? {};
  }

  sayError(error: unknown): string {
    if (error instanceof Refusal) return this.sayRefusal(error.data);
    if (error instanceof Unreachable) return this.can("keeps-here") ? m.engine_failed() : m.unreachable();
    throw error;
  }

  sayRefusal(error: ErrorData): string {
    return error.code in this.words ? this.say(error.code, error.params) : error.text;
  }

  variant(name: string): VariantInfo | undefined {
    return this.variants.find((info) => info.variant === name);
  }

  titleOf(name: string): string {
    return this.variant(name)?.names[prefs.language] ?? name;
  }

  board(variant: string, seats: number): Promise<BoardInfo> {
    const key = `${variant}/${seats}`;
    let found = this.#boards.get(key);
    if (!found) {
      found = call("GET /api/boards/{variant}/{seats}", { path: { variant, seats } });
      found.catch(() => this.#boards.delete(key));
      this.#boards.set(key, found);
    }
    return found;
  }
}

export const house = new House();
