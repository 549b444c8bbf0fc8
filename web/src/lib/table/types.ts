// What the table's components are given and what they give back. The shapes that the server sends come from
// its own structs (../api.ts); nothing here knows a rule.

import type { Explained } from "../api";

export type {
  BoardInfo,
  CardPoints,
  EntryData,
  EventData,
  Explained,
  LegalMoves,
  TableView,
  TilePoints,
  VariantInfo,
  ViewData,
} from "../api";

/** Words for a key: the engine's codes (`now-place`, `colour-0`, ...) and those of words.ts (`table-...`). */
export type Translate = (key: string, params?: Record<string, unknown>) => string;

/** What a move would bring, asked of the server. */
export type Explain = (move: string) => Promise<Explained>;

/** Where a tile is aimed: its first symbol on `cell`, its second one step in `direction`. */
export interface Aim {
  cell: number;
  direction: number;
}

/** A lawful way to lay a tile, in the numbers of `legal`. */
export interface Spot extends Aim {
  /** The other cell. */
  other: number;
  /** Its number in the board's `pairs`. */
  pair: number;
  /** Its place in `legal.places`. */
  index: number;
  /** Whether the first symbol lies on the pair's second cell. */
  turned: boolean;
}

/** A tile that was laid, as the last moves are shown. */
export interface Laid {
  cells: [number, number];
  seat: number;
  gain: number[];
}
