// The current page. It is determined by the address alone, so that a reload returns to it.

import { addressOf, pageOf } from "./where";

export type Route =
  | { page: "start" }
  | { page: "new"; variant: string | null; mode: string | null }
  | { page: "table"; id: string; watch: string | null }
  | { page: "join"; code: string }
  | { page: "rules"; variant: string }
  | { page: "learn"; variant: string | null }
  | { page: "replay"; game: PlayedGame | null; moment: Moment }
  | { page: "games" }
  | { page: "licences" }
  | { page: "unknown" };

/** A game of a table; the spectators' code is for those who did not play in it. */
export interface PlayedGame {
  table: string;
  number: number;
  watch: string | null;
}

/** The current moment of a replay, and whether with a bot's opinions. */
export interface Moment {
  ply: number | null;
  analysed: boolean;
}

/** The page of an address. */
export function routeOf(path: string, search = ""): Route {
  const [first, second, ...rest] = path.split("/").filter(Boolean).map(decoded);
  const query = new URLSearchParams(search);
  if (first === "replay") return replayRoute(second, rest, query);
  if (rest.length) return { page: "unknown" };
  if (first === undefined) return { page: "start" };
  if (first === "games" && second === undefined) return { page: "games" };
  if (first === "licences" && second === undefined) return { page: "licences" };
  if (first === "new") return { page: "new", variant: second ?? null, mode: query.get("mode") };
  if (first === "table" && second) return { page: "table", id: second, watch: query.get("watch") };
  if (first === "rules" && second) return { page: "rules", variant: second };
  if (first === "learn") return { page: "learn", variant: second ?? null };
  if (first === "join" && second) return { page: "join", code: second };
  return { page: "unknown" };
}

function replayRoute(table: string | undefined, [game, ...rest]: string[], query: URLSearchParams): Route {
  const ply = query.get("ply") ?? "";
  const moment = { ply: /^\d{1,5}$/.test(ply) ? Number(ply) : null, analysed: query.has("analysis") };
  if (table === undefined) return { page: "replay", game: null, moment };
  if (rest.length || !/^\d{1,6}$/.test(game ?? "")) return { page: "unknown" };
  return { page: "replay", game: { table, number: Number(game), watch: query.get("watch") }, moment };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const links = {
  start: addressOf("/"),
  friends: addressOf("/#friends"),
  games: addressOf("/games"),
  licences: addressOf("/licences"),
  new: (variant: string, mode = "") => addressOf(`/new/${encodeURIComponent(variant)}${mode && `?mode=${mode}`}`),
  table: (id: string) => addressOf(`/table/${encodeURIComponent(id)}`),
  watch: (id: string, code: string) => addressOf(`/table/${encodeURIComponent(id)}?watch=${encodeURIComponent(code)}`),
  rules: (variant: string) => addressOf(`/rules/${encodeURIComponent(variant)}`),
  replay: (game: PlayedGame | null, moment: Partial<Moment> = {}) => {
    const query = new URLSearchParams();
    if (game?.watch) query.set("watch", game.watch);
    if (moment.ply != null) query.set("ply", String(moment.ply));
    if (moment.analysed) query.set("analysis", "1");
    const path = game ? `/replay/${encodeURIComponent(game.table)}/${game.number}` : "/replay";
    return addressOf(query.size ? `${path}?${query}` : path);
  },
  learn: (variant = "") => addressOf(variant ? `/learn/${encodeURIComponent(variant)}` : "/learn"),
  join: (code: string) => addressOf(`/join/${encodeURIComponent(code)}`),
};

class Place {
  here = $state<Route>({ page: "start" });

  constructor() {
    if (typeof window === "undefined") return;
    this.#read();
    addEventListener("popstate", () => this.#read());
    // Links are plain links; those within the app do not load a new page.
    document.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link || event.defaultPrevented || event.button !== 0 || link.target || link.hasAttribute("download")) return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const url = new URL(link.href, location.href);
      if (url.origin !== location.origin || !pageOf(url)) return;
      if (url.hash && url.pathname + url.search === location.pathname + location.search) return;
      event.preventDefault();
      this.go(url.pathname + url.search + url.hash);
    });
  }

  /** Go to one of the addresses in `links`. */
  go(address: string, replace = false): void {
    if (replace) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    this.#read();
    scrollTo(0, 0);
  }

  #read(): void {
    const page = pageOf(location);
    this.here = page ? routeOf(...page) : { page: "unknown" };
  }
}

export const place = new Place();
