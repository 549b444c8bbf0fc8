// Where a replay comes from: a game played at a table here, or a record that somebody opened.

import type { Analysis, ContinueBody, Replay, TableView } from "../api";
import { type Asked, call, randomHex } from "../net/http";
import type { PlayedGame } from "../route.svelte";

export interface Played {
  kind: "played";
  game: PlayedGame;
}

export interface Brought {
  kind: "brought";
  record: unknown;
}

export type Source = Played | Brought;

const path = ({ game }: Played) => ({ table: game.table, game: game.number });
const query = ({ game }: Played) => ({ watch: game.watch });

/** The whole game, moment by moment. */
export function replayOf(source: Source): Promise<Replay> {
  if (source.kind === "brought") return call("POST /api/records/replay", { body: { record: source.record } });
  return call("GET /api/tables/{table}/games/{game}/replay", { path: path(source), query: query(source) });
}

/** Have a bot analyse every move. Calling it again returns the progress so far. */
export function analyse(source: Source): Promise<Analysis> {
  if (source.kind === "brought") return call("POST /api/records/analysis", { body: { record: source.record } });
  return call("POST /api/tables/{table}/games/{game}/analysis", { path: path(source), query: query(source) });
}

/** Create a table that continues from one of its moments. The client's bits follow the server's commitment (DEAL). */
export async function goOn(source: Source, body: ContinueBody): Promise<TableView> {
  const table =
    source.kind === "brought"
      ? await call("POST /api/records/continue", { body: { ...body, record: source.record } })
      : await call("POST /api/tables/{table}/games/{game}/continue", {
          path: path(source),
          query: query(source),
          body,
        });
  // Someone who only watches bots contributes no bits, and the game has already begun.
  if (body.places.some((choice) => choice.kind === "me"))
    await call("POST /api/tables/{table}/bits", { path: { table: table.id }, body: { bits: randomHex(32) } });
  return table;
}

/** Its record, as a file. */
export const RECORD = "GET /api/tables/{table}/games/{game}/record";

export function recordOf(source: Played): Asked<typeof RECORD> {
  return { path: path(source), query: query(source) };
}

// An opened record is kept for this tab, so that a reload returns to it.
const KEY = "genial-record";

export function keptRecord(): Brought | null {
  try {
    const text = sessionStorage.getItem(KEY);
    return text === null ? null : { kind: "brought", record: JSON.parse(text) };
  } catch {
    return null;
  }
}

export function keepRecord(brought: Brought | null): void {
  try {
    if (brought) sessionStorage.setItem(KEY, JSON.stringify(brought.record));
    else sessionStorage.removeItem(KEY);
  } catch {
    // The browser stores nothing: the game is shown until the page is left.
  }
}
