// The events of a game as lines for display, newest last.

import { toldBy } from "./tilewords";
import type { BoardInfo, EventData } from "./types";

export interface Line {
  event: EventData;
  /** Its index among the events: what a replay would show. */
  index: number;
  type: string;
  seat: number | null;
  tile: string | null;
  tiles: string[];
  /** The names of the cells. */
  cells: readonly string[];
  level: number;
  gain: { colour: number; points: number }[];
}

/** The events worth listing: placements, cards, swaps, reshuffles and the end, but not deals and draws. */
export function historyOf(events: readonly EventData[], board: BoardInfo): Line[] {
  return events.flatMap((event, index) => (UNTOLD.has(event.type) ? [] : [lineOf(event, index, board)]));
}

const UNTOLD = new Set(["deal", "draw", "open", "end"]);
const LINES = new WeakMap<EventData, Line>();

/** A known event keeps its line object, so that it is not redrawn. */
function lineOf(event: EventData, index: number, board: BoardInfo): Line {
  const known = LINES.get(event);
  if (known?.index === index) return known;
  const told = toldBy(event, board);
  const line = {
    event,
    index,
    type: event.type,
    seat: event.seat ?? null,
    tile: event.tile ?? null,
    tiles: event.tiles ?? [],
    cells: told.cells,
    level: told.level,
    gain: (event.gain ?? []).flatMap((points, colour) => (points ? [{ colour, points }] : [])),
  };
  LINES.set(event, line);
  return line;
}
