// The events of a game as lines to read, the newest last.

import { cellNumber } from "./parse";
import type { BoardInfo, EventData } from "./types";

export interface Line {
  /** Its place among the events: what a replay would show. */
  index: number;
  type: string;
  seat: number | null;
  tile: string | null;
  tiles: string[];
  /** Names of the cells. */
  cells: string[];
  level: number;
  gain: { colour: number; points: number }[];
}

/** What is worth telling: placements, cards, swaps, reshuffles and the end. Deals and draws are not. */
export function historyOf(events: readonly EventData[], board: BoardInfo): Line[] {
  return events.flatMap((event, index) => {
    if (["deal", "draw", "open", "end"].includes(event.type)) return [];
    return [
      {
        index,
        type: event.type,
        seat: event.seat ?? null,
        tile: event.tile ?? null,
        tiles: event.tiles ?? [],
        cells: (event.cells ?? []).map((cell) => board.names[cellNumber(board, cell)] ?? "?"),
        level: event.level ?? 0,
        gain: (event.gain ?? []).flatMap((points, colour) => (points ? [{ colour, points }] : [])),
      },
    ];
  });
}
