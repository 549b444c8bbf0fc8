// A move that was not made, in the form in which the board shows an aimed tile.

import type { BoardInfo, Explained } from "../api";
import { type Spots, partsOf } from "../table/moves";
import type { Aim } from "../table/types";

/** What the board needs to show a move. */
export interface Ghost {
  tile: string;
  spots: Spots;
  aim: Aim;
  explained: Explained;
}

/** A placement with its points, but without the scoring rays: the adviser does not report those. */
export function ghostOf(board: BoardInfo, move: string, gain: readonly number[]): Ghost | null {
  const parts = partsOf(board, move);
  if (!parts?.aim) return null;
  const { tile, aim, other } = parts;
  const spot = { ...aim, other, pair: -1, index: -1, turned: false };
  const explained = { gain: [...gain], markers: [], bonus: 0, halves: [] };
  return { tile, spots: new Map([[aim.cell, [spot]]]), aim, explained };
}
