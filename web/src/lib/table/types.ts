// What the table's components receive and return. The shapes sent by the server come from its own structs (../api.ts);
// nothing here knows the rules.

import type { Explained } from "../api";

export type {
  BoardInfo,
  CardPoints,
  ClockView,
  EntryData,
  EventData,
  Explained,
  GameView,
  LegalMoves,
  PlaceView,
  ResultView,
  SideView,
  TableView,
  VariantInfo,
  ViewData,
} from "../api";

/** The engine's and the server's words for a code: `now-place`, `colour-0`, ... The table's own texts are messages (m).
    */
export type Translate = (key: string, params?: Record<string, unknown>) => string;

/** Asks the server what a move would score; the signal aborts the request. */
export type Explain = (move: string, signal: AbortSignal) => Promise<Explained>;

/** Where a tile is aimed: its first symbol on `cell`, its second one step in `direction`. */
export interface Aim {
  cell: number;
  direction: number;
}

/** A legal way to lay a tile, in the numbers of `legal`. */
export interface Spot extends Aim {
  /** The other cell. */
  other: number;
  /** Its number in the board's `pairs`. */
  pair: number;
  /** Its index in `legal.pairs`. */
  index: number;
  /** Whether the first symbol lies on the pair's second cell. */
  turned: boolean;
}

/** What a placement does to the mover's markers. */
export interface Brought {
  /** By colour. */
  gain: number[];
  /** In total. */
  count: number;
  bonus: number;
}

/** A laid tile, as shown for the last moves. */
export interface Laid {
  cells: [number, number];
  seat: number;
  gain: number[];
}
