// What a board is given and what it gives back, flat or in space: the same for both.

import type { Spots } from "../moves";
import type { Seen } from "../parse";
import type { Mark } from "../seating";
import type { Aim, BoardInfo, EventData, Explained, Laid, LegalMoves, Translate } from "../types";

export interface BoardProps {
  board: BoardInfo;
  /** What lies there, in the order of the board's cells. */
  seen: Seen[];
  legal: LegalMoves | null;
  /** Every lawful way to lay a tile. */
  spots: Spots;
  /** The tile that is being placed. */
  tile: string | null;
  aim: Aim | null;
  /** The direction that the tile has until it is turned. */
  direction: number;
  /** Where the points of the aimed placement come from. */
  explained: Explained | null;
  /** Whether permitted cells are marked. */
  permitted: boolean;
  /** Points by cell, shown as a heat map. */
  heat: ReadonlyMap<number, number> | null;
  /** The last moves. */
  last: Laid[];
  /** A move of the past that somebody looks at. */
  lit: Laid | null;
  /** The marks of the players, by seat. */
  marks: readonly Mark[];
  /** A placement that is being shown: it settles and tells its points. */
  shown: Laid | null;
  /** What happened so far: only the view in space asks, for the tiles that are covered. */
  events: readonly EventData[];
  t: Translate;
  onAim?: (aim: Aim | null) => void;
  onTurn?: (by: 1 | -1) => void;
  onPlace?: () => void;
  onCancel?: () => void;
}

/** A board on which nothing is going on. */
export const STILL = {
  legal: null,
  spots: new Map(),
  tile: null,
  aim: null,
  direction: 0,
  explained: null,
  permitted: false,
  heat: null,
  last: [],
  lit: null,
  marks: [],
  shown: null,
  events: [],
} satisfies Partial<BoardProps>;

/** The same, of which may be left out whatever is as on a board where nothing is going on. */
export type SomeBoardProps = Omit<BoardProps, keyof typeof STILL> & Partial<BoardProps>;

/** What the table may ask of a board. */
export interface BoardHandle {
  aimFrom: (x: number, y: number, reach: number) => Aim | null;
  focus: () => void;
}
