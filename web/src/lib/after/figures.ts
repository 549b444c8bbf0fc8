// The data of the graphs and the table of figures: one line for each side of a game.

import type { Analysis, Replay } from "../api";
import { listed } from "../intl";
import type { Line } from "./graph";

/** The seats of each side: partners together, everybody else alone. */
export function sidesOf(replay: Replay): number[][] {
  const sides = replay.frames[0]?.game.sides.map((side) => side.seats) ?? [];
  // Shared pegs are a single track, but the two players pull in opposite directions.
  return sides.length > 1 ? sides : Array.from({ length: replay.seats }, (_, seat) => [seat]);
}

/** One figure from every frame, by side. */
export function linesOf(replay: Replay, names: readonly string[], figure: "lowest" | "sums"): Line[] {
  return sidesOf(replay).map((seats) => ({
    name: nameOf(seats, names),
    values: replay.frames.map((frame) => frame[figure][seats[0] ?? 0] ?? null),
  }));
}

/** The estimate at every choice: shares of the win, or the lowest marker in a solo game. */
export function estimates(replay: Replay, names: readonly string[], analysis: Analysis): Line[] | null {
  const alone = analysis.unit === "lowest";
  // A bot without lookahead estimates neither.
  if (!analysis.moves.length || (!alone && analysis.unit !== "share")) return null;
  return sidesOf(replay).map((seats) => {
    const values: (number | null)[] = replay.frames.map(() => null);
    for (const judged of analysis.moves) {
      const before = judged.move === "refill" ? judged.ply : judged.ply - 1;
      const value = alone ? judged.best.value : judged.shares[seats[0] ?? 0];
      if (value !== undefined) values[before] = value;
    }
    return { name: nameOf(seats, names), values };
  });
}

function nameOf(seats: readonly number[], names: readonly string[]): string {
  return listed(seats.map((seat) => names[seat] ?? ""));
}
