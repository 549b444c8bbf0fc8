// Requests for a new table: who is to sit where.

import type { NewTable, PlaceChoice, TableSettings, TableView } from "./api";
import { call, randomHex } from "./net/http";

export type Mode = "bots" | "pass" | "link" | "solo";

export interface Wish {
  mode: Mode;
  name: string;
  seats: number;
  /** The bots at the other places, in order; when friends are invited by link, null leaves a place open. */
  bots: readonly (string | null)[];
  /** Pass-and-play: everybody's name. */
  names: readonly string[];
}

/** Whether hints are allowed by default: only where nobody else could mind. */
export function hintsAtFirst(mode: Mode, isPublic = false): boolean {
  return (mode === "bots" || mode === "solo") && !isPublic;
}

/** Who is to sit where. The viewer's own place is the first. */
export function placesOf(wish: Wish): PlaceChoice[] {
  return Array.from({ length: wish.seats }, (_, place): PlaceChoice => {
    if (wish.mode === "pass") return { kind: "me", name: wish.names[place] || null };
    if (place === 0) return { kind: "me" };
    const bot = wish.bots[place - 1] ?? (wish.mode === "link" ? null : wish.bots[0]);
    return bot ? { kind: "bot", bot } : { kind: "open" };
  });
}

/** Create a table. The client's own bits for the deal follow once the server has committed to its part (DEAL). */
export async function setUp(wish: Wish, settings: Omit<TableSettings, "seats">): Promise<TableView> {
  const hints = settings.hints ?? hintsAtFirst(wish.mode, settings.public);
  const body: NewTable = { settings: { ...settings, seats: wish.seats, hints }, places: placesOf(wish), name: wish.name };
  const table = await call("POST /api/tables", { body });
  await call("POST /api/tables/{table}/bits", { path: { table: table.id }, body: { bits: randomHex(32) } });
  return table;
}
