// What a board is given and what it gives back, flat or in space: the same for both.

import type { Spots } from "../table/moves";
import type { Seen } from "../table/parse";
import type { Aim, BoardInfo, EventData, Explained, Laid, LegalMoves, Translate } from "../table/types";

export interface BoardProps {
  board: BoardInfo;
  seen: Seen[];
  legal?: LegalMoves | null;
  spots?: Spots;
  tile?: string | null;
  aim?: Aim | null;
  direction?: number;
  explained?: Explained | null;
  permitted?: boolean;
  heat?: ReadonlyMap<number, number> | null;
  last?: Laid[];
  /** A placement that is being shown: it settles. */
  shown?: Laid | null;
  /** What happened so far: only the view in space asks, for the tiles that are covered. */
  events?: readonly EventData[];
  t: Translate;
  onAim?: (aim: Aim | null) => void;
  onTurn?: (by: 1 | -1) => void;
  onPlace?: () => void;
  onCancel?: () => void;
}

/** What the table may ask of a board. */
export interface BoardHandle {
  aimFrom: (x: number, y: number, reach: number) => Aim | null;
  focus: () => void;
}
