// This device's preferences. Stored in the browser; open tabs pick up each other's changes.

import { PALETTES, type PaletteName, type ThemeChoice, THEMES, wear } from "./look";
import { baseLocale, isLocale, type Locale, locales, overwriteGetLocale } from "../paraglide/runtime.js";

const KEY = "genial";
/** The oldest are dropped: their tables are long over. */
const MOST_HIDDEN = 200;

export interface InSpace {
  deep: boolean | null;
  flat: boolean | null;
}

interface Kept {
  name: string;
  language: Locale | null;
  theme: ThemeChoice;
  palette: PaletteName | null;
  /** Null: follow the system. */
  motion: boolean | null;
  /** Off until somebody turns it on. */
  sound: boolean;
  notify: boolean;
  /** Whether turns end automatically; null: only when playing against bots alone. */
  ends: boolean | null;
  /** Whether sounds have been offered. */
  heard: boolean;
  /** Whether boards are shown in 3D: those that are built upwards, and the others. Null: whatever suits the title best.
      */
  space: InSpace;
  /** The completed lessons. */
  learned: string[];
  /** How many tiles have been laid here: newcomers are shown how. Not counted further than that requires. */
  laid: number;
  /** Marks of people whose messages are not shown here. A person has a different mark at every table. */
  hidden: string[];
  /** What was played last: one click away on the start page. */
  variant: string | null;
  seats: number | null;
  bot: string | null;
  /** Whether a game was left unfinished: the start page reserves room for it. */
  left: boolean;
}

const FIRST: Kept = {
  name: "",
  language: null,
  theme: "system",
  palette: null,
  motion: null,
  sound: false,
  notify: false,
  ends: null,
  heard: false,
  space: { deep: null, flat: null },
  learned: [],
  laid: 0,
  hidden: [],
  variant: null,
  seats: null,
  bot: null,
  left: false,
};

/** The stored preferences, as far as they can be read. */
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
  const texts = (key: string): string[] => {
    const list = raw[key];
    return Array.isArray(list) ? list.filter((text) => typeof text === "string") : [];
  };
  return {
    name: (words("name") ?? "").slice(0, 24),
    language: isLocale(raw["language"]) ? raw["language"] : null,
    theme: THEMES.find((theme) => theme === raw["theme"]) ?? "system",
    palette: PALETTES.find((palette) => palette === raw["palette"]) ?? null,
    motion: typeof raw["motion"] === "boolean" ? raw["motion"] : null,
    sound: raw["sound"] === true,
    notify: raw["notify"] === true,
    ends: typeof raw["ends"] === "boolean" ? raw["ends"] : null,
    heard: raw["heard"] === true,
    space: inSpace(raw["space"]),
    learned: texts("learned"),
    laid: typeof raw["laid"] === "number" ? raw["laid"] : 0,
    hidden: texts("hidden").slice(-MOST_HIDDEN),
    variant: words("variant"),
    seats: typeof raw["seats"] === "number" ? raw["seats"] : null,
    bot: words("bot"),
    left: raw["left"] === true,
  };
}

function inSpace(found: unknown): InSpace {
  const raw = (typeof found === "object" && found ? found : {}) as Record<string, unknown>;
  const choice = (key: string): boolean | null => (typeof raw[key] === "boolean" ? (raw[key] as boolean) : null);
  return { deep: choice("deep"), flat: choice("flat") };
}

/** The first of the preferred languages that we support. */
export function spoken(wished: readonly string[]): Locale {
  for (const wish of wished) {
    const language = wish.toLowerCase().split("-")[0];
    const found = locales.find((locale) => locale === language);
    if (found) return found;
  }
  return baseLocale;
}

class Prefs {
  #kept = $state.raw<Kept>({ ...FIRST });
  // Needed for every text on the screen, so derived only once.
  readonly #language = $derived(this.#kept.language ?? spoken(navigator.languages));
  // Each by itself, so that another preference that changes doesn't restyle the whole page.
  readonly #theme = $derived(this.#kept.theme);
  readonly #palette = $derived(this.#kept.palette);
  readonly #motion = $derived(this.#kept.motion);

  constructor() {
    if (typeof window === "undefined") return;
    this.#read();
    addEventListener("storage", (event) => {
      if (event.key === KEY || event.key === null) this.#read();
    });
    // Messages call this every time, so the language can change without a reload.
    overwriteGetLocale(() => this.language);
  }

  get name(): string {
    return this.#kept.name;
  }
  set name(name: string) {
    this.#keep({ name: name.trim().slice(0, 24) });
  }
  get language(): Locale {
    return this.#language;
  }
  set language(language: Locale) {
    this.#keep({ language });
  }
  get theme(): ThemeChoice {
    return this.#theme;
  }
  set theme(theme: ThemeChoice) {
    this.#keep({ theme });
  }
  get palette(): PaletteName | null {
    return this.#palette;
  }
  set palette(palette: PaletteName | null) {
    this.#keep({ palette });
  }
  get motion(): boolean | null {
    return this.#motion;
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
  get ends(): boolean | null {
    return this.#kept.ends;
  }
  set ends(ends: boolean | null) {
    this.#keep({ ends });
  }
  get heard(): boolean {
    return this.#kept.heard;
  }
  set heard(heard: boolean) {
    this.#keep({ heard });
  }
  get space(): Readonly<InSpace> {
    return this.#kept.space;
  }
  set space(space: InSpace) {
    this.#keep({ space });
  }
  get learned(): readonly string[] {
    return this.#kept.learned;
  }
  /** Mark a lesson as completed. */
  learn(variant: string): void {
    if (!this.#kept.learned.includes(variant)) this.#keep({ learned: [...this.#kept.learned, variant] });
  }
  get laid(): number {
    return this.#kept.laid;
  }
  set laid(laid: number) {
    this.#keep({ laid });
  }
  get hidden(): readonly string[] {
    return this.#kept.hidden;
  }
  /** Hide somebody's messages, or show them again. */
  hide(mark: string, hidden: boolean): void {
    const others = this.#kept.hidden.filter((other) => other !== mark);
    this.#keep({ hidden: (hidden ? [...others, mark] : others).slice(-MOST_HIDDEN) });
  }
  get last(): { variant: string | null; seats: number | null; bot: string | null } {
    return this.#kept;
  }
  set last(last: { variant: string; seats: number; bot: string | null }) {
    this.#keep({ ...last, bot: last.bot ?? this.#kept.bot });
  }
  get left(): boolean {
    return this.#kept.left;
  }
  set left(left: boolean) {
    if (left !== this.left) this.#keep({ left });
  }

  /** Apply the chosen look. */
  apply(root: HTMLElement): void {
    wear(root, this.theme, this.palette);
    root.lang = this.language;
    root.toggleAttribute("data-still", this.motion === false);
  }

  #read(): void {
    try {
      this.#kept = readKept(localStorage.getItem(KEY));
    } catch {
      // The browser stores nothing: everything still works while the page is open.
    }
  }

  #keep(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#kept));
    } catch {
      // As above.
    }
  }
}

export const prefs = new Prefs();
