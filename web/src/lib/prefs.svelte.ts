// What this device prefers. Kept in the browser; tabs hear of each other's changes.

import { PALETTES, type PaletteName, type ThemeChoice, THEMES, wear } from "./look";
import { baseLocale, isLocale, type Locale, locales, overwriteGetLocale } from "../paraglide/runtime.js";

const KEY = "genial";

interface Kept {
  name: string;
  language: Locale | null;
  theme: ThemeChoice;
  palette: PaletteName | null;
  /** Null: as the system wishes. */
  motion: boolean | null;
  /** Off until somebody asks for them. */
  sound: boolean;
  notify: boolean;
  /** Whether stacked boards are shown in space. */
  space: boolean;
  /** The lessons that were gone through. */
  learned: string[];
  /** What was played last: one click away on the start page. */
  variant: string | null;
  seats: number | null;
  bot: string | null;
}

const FIRST: Kept = {
  name: "",
  language: null,
  theme: "system",
  palette: null,
  motion: null,
  sound: false,
  notify: false,
  space: false,
  learned: [],
  variant: null,
  seats: null,
  bot: null,
};

/** What was kept, as far as it can be read. */
export function readKept(text: string | null): Kept {
  let found: unknown;
  try {
    found = JSON.parse(text ?? "{}");
  } catch {
    return { ...FIRST };
  }
  if (typeof found !== "object" || found === null) return { ...FIRST };
  const raw = found as Record<string, unknown>;
  const words = (key: string): string | null => (typeof raw[key] === "string" ? (raw[key] as string) : null);
  return {
    name: (words("name") ?? "").slice(0, 24),
    language: isLocale(raw["language"]) ? raw["language"] : null,
    theme: THEMES.find((theme) => theme === raw["theme"]) ?? "system",
    palette: PALETTES.find((palette) => palette === raw["palette"]) ?? null,
    motion: typeof raw["motion"] === "boolean" ? raw["motion"] : null,
    sound: raw["sound"] === true,
    notify: raw["notify"] === true,
    space: raw["space"] === true,
    learned: Array.isArray(raw["learned"]) ? raw["learned"].filter((name) => typeof name === "string") : [],
    variant: words("variant"),
    seats: typeof raw["seats"] === "number" ? raw["seats"] : null,
    bot: words("bot"),
  };
}

/** The first language that we speak of those wished for. */
export function spoken(wished: readonly string[]): Locale {
  for (const wish of wished) {
    const language = wish.toLowerCase().split("-")[0];
    const found = locales.find((locale) => locale === language);
    if (found) return found;
  }
  return baseLocale;
}

class Prefs {
  #kept = $state<Kept>({ ...FIRST });

  constructor() {
    if (typeof window === "undefined") return;
    this.#read();
    addEventListener("storage", (event) => {
      if (event.key === KEY || event.key === null) this.#read();
    });
    // Messages ask this at every call, so that a screen changes its words without a reload.
    overwriteGetLocale(() => this.language);
  }

  get name(): string {
    return this.#kept.name;
  }
  set name(name: string) {
    this.#keep({ name: name.trim().slice(0, 24) });
  }
  get language(): Locale {
    return this.#kept.language ?? spoken(navigator.languages);
  }
  set language(language: Locale) {
    this.#keep({ language });
  }
  get theme(): ThemeChoice {
    return this.#kept.theme;
  }
  set theme(theme: ThemeChoice) {
    this.#keep({ theme });
  }
  get palette(): PaletteName | null {
    return this.#kept.palette;
  }
  set palette(palette: PaletteName | null) {
    this.#keep({ palette });
  }
  get motion(): boolean | null {
    return this.#kept.motion;
  }
  set motion(motion: boolean | null) {
    this.#keep({ motion });
  }
  get sound(): boolean {
    return this.#kept.sound;
  }
  set sound(sound: boolean) {
    this.#keep({ sound });
  }
  get notify(): boolean {
    return this.#kept.notify;
  }
  set notify(notify: boolean) {
    this.#keep({ notify });
  }
  get space(): boolean {
    return this.#kept.space;
  }
  set space(space: boolean) {
    this.#keep({ space });
  }
  get learned(): readonly string[] {
    return this.#kept.learned;
  }
  /** Remember a lesson. */
  learn(variant: string): void {
    if (!this.#kept.learned.includes(variant)) this.#keep({ learned: [...this.#kept.learned, variant] });
  }
  get last(): { variant: string | null; seats: number | null; bot: string | null } {
    return this.#kept;
  }
  set last(last: { variant: string; seats: number; bot: string | null }) {
    this.#keep({ ...last, bot: last.bot ?? this.#kept.bot });
  }

  /** Wear what was chosen. */
  apply(root: HTMLElement): void {
    wear(root, this.theme, this.palette);
    root.lang = this.language;
    root.toggleAttribute("data-still", this.motion === false);
  }

  #read(): void {
    try {
      this.#kept = readKept(localStorage.getItem(KEY));
    } catch {
      // A browser that keeps nothing: everything still works, for as long as the page is open.
    }
  }

  #keep(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#kept));
    } catch {
      // See above.
    }
  }
}

export const prefs = new Prefs();
