// The props and callbacks of a board, the same for the flat and the 3D view.

import type { Spots } from "../moves";
import type { Seen } from "../parse";
import type { Mark } from "../seating";
import type { Aim, BoardInfo, EventData, Explained, Laid, LegalMoves, Translate } from "../types";

export interface BoardProps {
  board: BoardInfo;
  /** The pieces, in the order of the board's cells. */
  seen: Seen[];
  legal: LegalMoves | null;
  /** Every legal way to lay a tile. */
  spots: Spots;
  /** The tile being placed. */
  tile: string | null;
  aim: Aim | null;
  /** The direction of the tile until it is rotated. */
  direction: number;
  /** Where the points of the aimed placement come from. */
  explained: Explained | null;
  /** Whether permitted cells are marked. */
  permitted: boolean;
  /** Points by cell, shown as a heat map. */
  heat: ReadonlyMap<number, number> | null;
  /** The last moves. */
  last: Laid[];
  /** An earlier move that somebody looks at. */
  lit: Laid | null;
  /** The players' marks, by seat. */
  marks: readonly Mark[];
  /** A placement being shown: the tile settles and shows its points. */
  shown: Laid | null;
  /** All events so far: only the 3D view needs them, for covered tiles. */
  events: readonly EventData[];
  t: Translate;
  onAim?: (aim: Aim | null) => void;
  onTurn?: (by: 1 | -1) => void;
  onPlace?: () => void;
  onCancel?: () => void;
}

/** The defaults of a board on which nothing is happening. */
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

/** Board props in which anything that equals those defaults may be omitted. */
export type SomeBoardProps = Omit<BoardProps, keyof typeof STILL> & Partial<BoardProps>;

/** What the table may ask of a board. */
export interface BoardHandle {
  aimFrom: (x: number, y: number, reach: number) => Aim | null;
  focus: () => void;
}
