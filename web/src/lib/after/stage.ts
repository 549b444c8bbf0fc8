// Converts a moment of a replay into what the table's components expect.

import type { EventData, Frame, GameView, Replay } from "../api";
import { cellNumber } from "../table/parse";
import type { BoardInfo, Laid } from "../table/types";

const HIDDEN = "??";

/** The game at a moment with everything open, or as one seat saw it, with the other racks face down. */
export function gameOf(frame: Frame, seat: number | null): GameView {
  const { game } = frame;
  const viewer = seat === null ? [] : [seat];
  const racks = game.view.racks.map((rack, n) => (seat === null || n === seat ? rack : rack.map(() => HIDDEN)));
  return { ...game, places: racks.map((_, n) => n), view: { ...game.view, racks, viewer } };
}

/** The last tile that was laid, if any. */
export function laidOf(frame: Frame, board: BoardInfo): Laid | null {
  const [first, second] = (frame.act?.cells ?? []).map((cell) => cellNumber(board, cell));
  if (first === undefined || second === undefined) return null;
  return { cells: [first, second], seat: frame.act?.seat ?? 0, gain: frame.act?.gain ?? [] };
}

/** All acts up to a ply; each frame holds only its own. */
export function actsUntil(replay: Replay, ply: number): EventData[] {
  return replay.frames.slice(0, ply + 1).flatMap((frame) => frame.act ?? []);
}
