// How the client follows a table through its socket messages. There are no rules here: the view is always the server's
// own.
//
// After each stored batch the server sends the current table. Each event of the game arrives once, with the entry that
// caused it, and chat arrives separately; both are appended here. If some were lost on the way, the whole table is
// requested, once.

import type { EntryView, EventData, ServerMessage, TableView, Update, Waiting } from "../api";
import { shared } from "./shared";

type Game = NonNullable<TableView["game"]>;

/** As many as the server sends. */
const MOST_CHAT = 100;

export interface Followed {
  /** The table as the server last sent it; a lost connection resumes from its `seq`. */
  readonly view: TableView | null;
  /** The whole table has been requested and is on its way. */
  readonly asked: boolean;
  /** The places whose people are connected. */
  readonly present: readonly number[];
  readonly watching: number;
  /** The last message about a bot that is waiting for its turn to think. */
  readonly waiting: Waiting | null;
}

export const NOTHING: Followed = { view: null, asked: false, present: [], watching: 0, waiting: null };

/** A new connection: nothing requested on the old one will arrive, but the whole table comes unasked. */
export function reopened(followed: Followed): Followed {
  return { ...followed, asked: false, waiting: null };
}

/** The queue position of the bot that is to move; 0 if it need not wait. */
export function inLine({ view, waiting }: Followed): number {
  const game = view?.game;
  return game && waiting && waiting.seq === game.seq && waiting.place === game.mover ? waiting.line : 0;
}

/** The state after a message. If `asked` has become true, the whole table must be requested now. */
export function take(followed: Followed, message: ServerMessage): Followed {
  switch (message.type) {
    case "update":
      return message.state ? takeState(followed, message.state, message.entries) : takeWords(followed, message);
    case "presence":
      return { ...followed, present: message.places, watching: message.watching };
    case "waiting":
      return { ...followed, waiting: message };
    default:
      return followed;
  }
}

function takeState(followed: Followed, state: TableView, entries: readonly EntryView[]): Followed {
  const { view } = followed;
  if (view && state.seq < view.seq) return followed;
  if (state.game) {
    const events = history(view, state.game, entries);
    if (!events) return { ...followed, asked: true };
    state.game.view.events = events;
  }
  return { ...followed, view: shared(view, state), asked: false };
}

/** All events of the game: the known ones that still stand, and those of the new entries. */
function history(view: TableView | null, { number, told, view: { events } }: Game, entries: readonly EntryView[]): EventData[] | null {
  if (events.length === told) return events;
  const fresh = entries.filter(({ seq }) => !view || seq > view.seq);
  if (!view || (fresh[0] && fresh[0].seq !== view.seq + 1)) return null;
  let known = view.game?.number === number ? view.game.view.events : [];
  let added: EventData[] = [];
  for (const { kind, data } of fresh) {
    if (kind === "started") known = [];
    if (kind === "started" || kind === "taken-back") added = [];
    added.push(...(data.events ?? []));
  }
  const kept = told - added.length;
  return kept < 0 || kept > known.length ? null : [...known.slice(0, kept), ...added];
}

function takeWords(followed: Followed, { entries }: Update): Followed {
  const { view } = followed;
  const fresh = entries.filter(({ seq }) => !view || seq > view.seq);
  const last = fresh.at(-1);
  if (!last) return followed;
  if (!view || fresh[0]?.seq !== view.seq + 1) return { ...followed, asked: true };
  const chat = [...view.chat, ...fresh.map(said)].slice(-MOST_CHAT);
  return { ...followed, view: { ...view, chat, seq: last.seq } };
}

function said({ data, seq }: EntryView): TableView["chat"][number] {
  return { ...data, seq };
}

/** How long to wait before the next attempt, in milliseconds: longer each time, and randomised so that clients do not
    all return at once. */
export function patience(attempt: number, chance: number): number {
  const longest = Math.min(10_000, 500 * 2 ** attempt);
  return Math.round(longest * (0.5 + chance / 2));
}
