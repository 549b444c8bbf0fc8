// The events of a game as lines to read, the newest last.

import { toldBy } from "./tilewords";
import type { BoardInfo, EventData } from "./types";

export interface Line {
  /** Its place among the events: what a replay would show. */
  index: number;
  type: string;
  seat: number | null;
  tile: string | null;
  tiles: string[];
  /** Names of the cells. */
  cells: readonly string[];
  level: number;
  gain: { colour: number; points: number }[];
}

/** The same lines, the old ones where nothing changed: then they are not drawn anew. */
export function keepLines(before: readonly Line[], after: readonly Line[]): Line[] {
  return after.map((line, n) => {
    const old = before[n];
    return old && JSON.stringify(old) === JSON.stringify(line) ? old : line;
  });
}

/** What is worth telling: placements, cards, swaps, reshuffles and the end. Deals and draws are not. */
export function historyOf(events: readonly EventData[], board: BoardInfo): Line[] {
  return events.flatMap((event, index) => {
    if (["deal", "draw", "open", "end"].includes(event.type)) return [];
    const told = toldBy(event, board);
    return [
      {
        index,
        type: event.type,
        seat: event.seat ?? null,
        tile: event.tile ?? null,
        tiles: event.tiles ?? [],
        cells: told.cells,
        level: told.level,
        gain: (event.gain ?? []).flatMap((points, colour) => (points ? [{ colour, points }] : [])),
      },
    ];
  });
}
