// What a client makes of the messages of a table's socket. No rules: the view is always the server's own.
//
// An entry says that something happened; it is kept for whoever draws the motion. The view itself is only ever
// replaced by a whole state, asked for after the last entry of a batch, once at a time.

import type { EntryView, ServerMessage, TableView } from "../api";

const MOST_ENTRIES = 64;

export interface Followed {
  /** The table as the server last told it. */
  readonly view: TableView | null;
  /** The last entry seen: from here on a lost connection goes on. */
  readonly seq: number | null;
  /** A whole state is on its way. */
  readonly asked: boolean;
  /** The last entries, the newest last. */
  readonly entries: readonly EntryView[];
  /** The places whose people are connected. */
  readonly present: readonly number[];
  readonly watching: number;
}

export const NOTHING: Followed = { view: null, seq: null, asked: false, entries: [], present: [], watching: 0 };

export interface Taken {
  readonly next: Followed;
  /** Ask for the whole state now. */
  readonly resync: boolean;
}

/** The connection begins anew: what was asked for on the old one never comes. */
export function reopened(followed: Followed): Followed {
  return { ...followed, asked: true };
}

export function take(followed: Followed, message: ServerMessage): Taken {
  switch (message.type) {
    case "state": {
      const { state } = message;
      const seen = Math.max(state.seq, followed.seq ?? 0);
      const behind = state.seq < seen;
      return { next: { ...followed, view: state, seq: seen, asked: behind }, resync: behind };
    }
    case "entry": {
      const { entry, now } = message;
      if (followed.seq !== null && entry.seq <= followed.seq) return { next: followed, resync: false };
      const resync = now !== null && !followed.asked;
      const entries = [...followed.entries, entry].slice(-MOST_ENTRIES);
      return { next: { ...followed, seq: entry.seq, entries, asked: followed.asked || resync }, resync };
    }
    case "presence":
      return { next: { ...followed, present: message.places, watching: message.watching }, resync: false };
    default:
      return { next: followed, resync: false };
  }
}

/** How long to wait before the next attempt, in milliseconds: longer each time, and not all at once. */
export function patience(attempt: number, chance: number): number {
  const longest = Math.min(10_000, 500 * 2 ** attempt);
  return Math.round(longest * (0.5 + chance / 2));
}
