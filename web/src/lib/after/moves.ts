// The moves of a game as rows for display, with the adviser's opinions. Pure.

import type { Analysis, Judged, Replay, Threat } from "../api";
import { type Told, toldIn } from "../table/tilewords";

export interface Gain {
  colour: number;
  points: number;
}

export interface Row {
  /** The frame the move leads to. */
  ply: number;
  seat: number;
  /** In notation. */
  move: string;
  /** The move in a form that can be put into words. */
  told: Told;
  /** What it scored, colour by colour, without those that did not change. */
  gain: Gain[];
  judged: Judged | null;
  /** The opinion of ending the turn without a swap, where there was a choice. */
  kept: Judged | null;
}

/** The colours that gained points. */
export function gained(gain: readonly number[]): Gain[] {
  return gain.flatMap((points, colour) => (points ? [{ colour, points }] : []));
}

export function total(gain: readonly number[]): number {
  return gain.reduce((sum, points) => sum + points, 0);
}

/** Anything below this is not a threat. */
const LITTLE = 0.25;
const MOST_FEARED = 3;

/** The colours in which the opponent can expect to gain most. */
export function feared(threat: Threat | null): Gain[] {
  const found = gained(threat?.gain ?? []).filter(({ points }) => points >= LITTLE);
  return found.sort((a, b) => b.points - a.points).slice(0, MOST_FEARED);
}

/** Every move of a game. */
export function rowsOf(replay: Replay, analysis: Analysis | null): Row[] {
  const opinions = new Map<string, Judged>();
  for (const judged of analysis?.moves ?? []) opinions.set(`${judged.ply}${endsTurn(judged.move)}`, judged);
  return replay.frames.flatMap((frame, ply): Row[] => {
    if (frame.move === null) return [];
    const gain = frame.act?.gain ?? [];
    return [
      {
        ply,
        seat: frame.act?.seat ?? 0,
        move: frame.move,
        told: { ...toldIn(frame.move, gain), level: frame.act?.level ?? 0 },
        gain: gained(gain),
        judged: opinions.get(`${ply}false`) ?? null,
        kept: opinions.get(`${ply}true`) ?? null,
      },
    ];
  });
}

/** The opinion to mark: the worse of the move and the end of its turn, if either is an error. */
export function worst(row: Row): Judged | null {
  const found = [row.judged, row.kept].filter((judged) => judged !== null && isError(judged)) as Judged[];
  return found.sort((a, b) => b.given_away - a.given_away)[0] ?? null;
}

export function isError(judged: Judged): boolean {
  return judged.verdict === "slip" || judged.verdict === "mistake";
}

/** The next row with an error after a ply, wrapping around; null if there are no errors. */
export function nextError(rows: readonly Row[], ply: number): Row | null {
  const errors = rows.filter((row) => worst(row));
  return errors.find((row) => row.ply > ply) ?? errors[0] ?? null;
}

/** How many slips and mistakes each seat made. */
export function errorsOf(rows: readonly Row[], seats: number): { slips: number; mistakes: number }[] {
  const found = Array.from({ length: seats }, () => ({ slips: 0, mistakes: 0 }));
  for (const row of rows) {
    const there = found[row.seat];
    const judged = worst(row);
    if (!there || !judged) continue;
    if (judged.verdict === "mistake") there.mistakes += 1;
    else there.slips += 1;
  }
  return found;
}

/** The viewer's seat in a replay: the one they played, or the only one not played by a bot. */
export function ownSeat(replay: Pick<Replay, "own" | "bots">): number | null {
  if (replay.own.length) return replay.own.length === 1 ? (replay.own[0] ?? null) : null;
  const people = replay.bots.flatMap((bot, seat) => (bot === null ? [seat] : []));
  return people.length === 1 && replay.bots.length > 1 ? (people[0] ?? null) : null;
}

/** Where to play on from a moment: before the move that led there if it was the viewer's own, otherwise right there. */
export function startOf(replay: Pick<Replay, "frames">, ply: number, own: number | null): number {
  const seat = replay.frames[ply]?.act?.seat;
  return ply > 0 && own !== null && seat === own ? ply - 1 : ply;
}

function endsTurn(move: string): boolean {
  return move === "refill";
}
