// Tiles, cards and moves in words: the single source for the table, its history, replays and hints.

import { listed } from "../intl";
import { COLOURS, coloursOf } from "../look/symbols";
import { m } from "../../paraglide/messages.js";
import { cellNumber } from "./parse";
import type { BoardInfo, EventData, Translate } from "./types";

/** "red blue tile"; a tile that may not be seen is just "hidden". */
export function tileWords(tile: string, card: boolean, t: Translate): string {
  const colours = coloursOf(tile);
  if (!colours) return m.table_hidden();
  const [first, second] = colours.map((colour) => t(`colour-${colour}`)) as [string, string];
  return card ? m.table_card_name({ first, second }) : m.table_tile_name({ first, second });
}

/** The lowest colours on a tile or card; none if all are equally low. */
export function lowestOn(tile: string, lowest: readonly number[]): number[] {
  if (lowest.length >= COLOURS.length) return [];
  return [...new Set((coloursOf(tile) ?? []).filter((colour) => lowest.includes(colour)))];
}

/** The viewer's own tile or card in words, with the lowest colours it shows. */
export function ownWords(tile: string, card: boolean, lowest: readonly number[], t: Translate): string {
  const marks = lowestOn(tile, lowest);
  const what = tileWords(tile, card, t);
  return marks.length ? `${what}, ${m.table_carries_lowest({ names: colourWords(marks, t) })}` : what;
}

/** Colours in words: "red, green and blue". */
export function colourWords(colours: readonly number[], t: Translate): string {
  return listed(colours.map((colour) => t(`colour-${colour}`)));
}

/** A move to be described: a tile on its cells, a card, or another deed by its name. */
export interface Told {
  type: string;
  tile: string;
  /** The names of the cells. */
  cells: readonly string[];
  level: number;
  gain: readonly number[];
}

/** A move in words, without its player. Empty if not worth mentioning. */
export function moveWords({ type, tile, cells, level, gain }: Told, t: Translate): string {
  const points = t("points", { count: gain.reduce((sum, count) => sum + count, 0) });
  const where = [cells.join(" "), level ? m.table_level({ level }) : ""].filter(Boolean).join(", ");
  switch (type) {
    case "place":
      return m.table_did_place({ tile: tileWords(tile, false, t), cells: where, points });
    case "play":
      return m.table_did_play({ tile: tileWords(tile, true, t), points });
    case "swap":
      return m.move_swap();
    case "refill":
      return m.move_refill();
    default:
      return "";
  }
}

/** What somebody did, as a sentence to be announced. Empty if not worth mentioning. */
export function deedWords(told: Told, name: string, t: Translate): string {
  if (told.type === "swap") return m.table_said_swap({ name });
  const what = moveWords(told, t);
  return what && m.table_said({ name, what });
}

/** An event in that form. */
export function toldBy(event: EventData, board: BoardInfo): Told {
  const cells = (event.cells ?? []).map((cell) => board.names[cellNumber(board, cell)] ?? "?");
  return { type: event.type, tile: event.tile ?? "", cells, level: event.level ?? 0, gain: event.gain ?? [] };
}

/** A move in notation in that form: `RB@c3,c4`, `RB`, `swap` or `refill`. */
export function toldIn(move: string, gain: readonly number[]): Told {
  const [tile = "", where] = move.split("@");
  const cells = where?.split(",") ?? [];
  return { type: tile.length > 2 ? tile : where ? "place" : "play", tile, cells, level: 0, gain };
}
