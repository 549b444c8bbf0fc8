import { describe, expect, test } from "vitest";
import type { EntryView, EventData, ServerMessage, TableView, Update } from "../src/lib/api";
import { type Followed, NOTHING, inLine, patience, reopened, take } from "../src/lib/net/follow";

const entry = (seq: number, kind = "acted", data: EntryView["data"] = {}): EntryView => ({ seq, time: 0, kind, data });
const view = (seq: number, more: Partial<TableView> = {}): TableView =>
  ({ seq, chat: [], places: [{ name: "Ada" }], ...more }) as TableView;

/** The whole table after the entries from `first` to `last`. */
function state(first: number, last = first, more: Partial<Update> = {}): Update {
  const entries = Array.from({ length: last - first + 1 }, (_, n) => entry(first + n));
  return { type: "update", entries, state: view(last), ...more };
}

function words(...seqs: number[]): Update {
  return { type: "update", entries: seqs.map((seq) => entry(seq, "chatted", { text: `word ${seq}`, place: 1 })), state: null };
}

/** Takes all messages, and counts how often the whole table was requested. */
function follow(messages: ServerMessage[], from: Followed = NOTHING): { at: Followed; asked: number } {
  let [at, asked] = [from, 0];
  for (const message of messages) {
    const next = take(at, message);
    asked += Number(next.asked && !at.asked);
    at = next;
  }
  return { at, asked };
}

const seqOf = ({ at }: { at: Followed }): number | undefined => at.view?.seq;

describe("following a table", () => {
  test("what was done shows with the one message that tells of it, one's own deed as that of others", () => {
    const { at, asked } = follow([state(1, 3), state(4, 4, { done: "mine" }), state(5, 6)]);
    expect([at.view?.seq, asked]).toEqual([6, 0]);
  });

  describe("the game's past", () => {
    const events = (...seats: number[]): EventData[] => seats.map((seat) => ({ type: "place", seat }));
    const game = (told: number, known: EventData[] = [], number = 0): TableView["game"] =>
      ({ number, told, view: { events: known } }) as unknown as TableView["game"];
    const update = (seq: number, entries: EntryView[], now: TableView["game"]): Update => ({
      type: "update",
      entries,
      state: view(seq, { game: now }),
    });
    const acted = (seq: number, ...seats: number[]): EntryView => entry(seq, "acted", { events: events(...seats) });
    const whole = update(5, [], game(3, events(7, 8, 9)));
    const seats = ({ at }: { at: Followed }): (number | undefined)[] | undefined => at.view?.game?.view.events.map(({ seat }) => seat);

    test("grows by what the entries bring", () => {
      const found = follow([whole, update(6, [acted(6, 1)], game(4)), update(8, [acted(7, 2), acted(8, 3)], game(6))]);
      expect([seats(found), found.asked]).toEqual([[7, 8, 9, 1, 2, 3], 0]);
    });

    test("stays where nothing of it is new, and where words came in between", () => {
      const found = follow([whole, update(6, [entry(6, "asked")], game(3)), words(7), update(8, [acted(8, 1)], game(4))]);
      expect([seats(found), found.asked]).toEqual([[7, 8, 9, 1], 0]);
    });

    test("ends earlier after a take-back, and goes on from there", () => {
      const back = update(7, [entry(7, "taken-back")], game(2));
      const found = follow([whole, update(6, [acted(6, 1)], game(4)), back, update(8, [acted(8, 2)], game(3))]);
      expect([seats(found), found.asked]).toEqual([[7, 8, 2], 0]);
    });

    test("begins again with another game", () => {
      const started = update(7, [entry(6, "committed"), entry(7, "started", { events: events(4, 5) })], game(2, [], 1));
      expect(seats(follow([whole, started, update(8, [acted(8, 1)], game(3, [], 1))]))).toEqual([4, 5, 1]);
    });

    test("is asked for where a part of it is missing, and nothing is made up", () => {
      for (const lost of [update(7, [acted(7, 1)], game(5)), update(6, [acted(6, 1)], game(9))]) {
        const found = follow([whole, lost]);
        expect([seats(found), found.asked]).toEqual([[7, 8, 9], 1]);
        expect(seats(follow([update(9, [], game(1, events(1)))], found.at))).toEqual([1]);
      }
      expect(follow([update(6, [acted(6, 1)], game(4))]).asked).toBe(1);
    });

    test("is not added to twice by what was told already", () => {
      const found = follow([whole, update(7, [], game(5, events(7, 8, 9, 1, 2))), update(6, [acted(6, 1)], game(4))]);
      expect([seats(found), found.asked]).toEqual([[7, 8, 9, 1, 2], 0]);
    });
  });

  test("parts of the table that did not change are the very same", () => {
    const before = follow([state(3)]).at;
    const { at } = follow([state(4)], before);
    expect(at.view).not.toBe(before.view);
    expect(at.view?.places).toBe(before.view?.places);
  });

  test("a bot that has to wait is told of until it thinks, or the game goes on", () => {
    const game = { seq: 3, mover: 1, told: 0, view: { events: [] } } as unknown as TableView["game"];
    const waiting = (line: number, seq = 3): ServerMessage => ({ type: "waiting", place: 1, seq, line });
    const before = follow([{ ...state(3), state: view(3, { game }) }]).at;
    expect(inLine(before)).toBe(0);
    expect(inLine(follow([waiting(3), words(4), waiting(2)], before).at)).toBe(2);
    expect(inLine(follow([waiting(3), waiting(0)], before).at)).toBe(0);
    expect(inLine(follow([waiting(3, 2)], before).at)).toBe(0);
    const { at } = follow([waiting(3)], before);
    expect(inLine(follow([{ ...state(4), state: view(4, { game: { ...game, seq: 4 } as TableView["game"] }) }], at).at)).toBe(0);
    expect(inLine(reopened(at))).toBe(0);
  });

  test("words alone are added to what was said, and nothing is asked for", () => {
    const before = follow([{ ...state(3), state: view(3, { chat: [{ text: "hello", seq: 2 }] }) }]).at;
    const { at, asked } = follow([words(4), words(5, 6)], before);
    expect(at.view?.chat.map(({ seq, text, place }) => [seq, text, place])).toEqual([
      [2, "hello", undefined],
      [4, "word 4", 1],
      [5, "word 5", 1],
      [6, "word 6", 1],
    ]);
    expect([at.view?.seq, asked]).toEqual([6, 0]);
    expect(at.view?.places).toBe(before.view?.places);
  });

  test("words are kept in bounds, the last ones", () => {
    const { at } = follow([state(1), ...Array.from({ length: 150 }, (_, n) => words(n + 2))]);
    expect(at.view?.chat).toHaveLength(100);
    expect(at.view?.chat.at(-1)?.seq).toBe(151);
  });

  test("words that were seen already change nothing", () => {
    const before = follow([state(1, 5), words(6)]).at;
    expect(follow([words(5), words(6)], before)).toEqual({ at: before, asked: 0 });
    expect(follow([words(6, 7)], before).at.view?.chat.map(({ seq }) => seq)).toEqual([6, 7]);
  });

  test("after a gap the whole table is asked for, once until it comes", () => {
    const gap = follow([state(1, 3), words(5), words(6), words(7)]);
    expect([seqOf(gap), gap.asked, gap.at.view?.chat]).toEqual([3, 1, []]);
    const mended = follow([{ type: "update", entries: [], state: view(7) }, words(8)], gap.at);
    expect([seqOf(mended), mended.asked, mended.at.asked]).toEqual([8, 0, false]);
    expect(follow([words(10)], mended.at).asked).toBe(1);
  });

  test("words before anything else are a gap, too", () => {
    expect(follow([words(4), words(5)])).toEqual({ at: { ...NOTHING, asked: true }, asked: 1 });
  });

  test("who is slow and lost messages goes on with the next whole table", () => {
    const { at, asked } = follow([state(1, 3), state(9, 9)]);
    expect([at.view?.seq, asked]).toEqual([9, 0]);
  });

  test("a table that is older than what is known is left aside", () => {
    const before = follow([state(1, 5), words(6)]).at;
    expect(follow([{ type: "update", entries: [], state: view(5) }], before).at).toBe(before);
    // No newer than the known state, but seen from another place.
    expect(follow([{ type: "update", entries: [], state: view(6, { viewer: [1] }) }], before).at.view?.viewer).toEqual([1]);
  });

  test("after a lost connection what was missed comes with the whole table, and nothing is asked for", () => {
    const lost = follow([state(1, 5), words(7)]).at;
    expect(lost.asked).toBe(true); // and it is never answered
    const { at, asked } = follow([state(6, 8)], reopened(lost));
    expect([at.view?.seq, at.asked, asked]).toEqual([8, false, 0]);
  });

  test("who is there", () => {
    const { at } = follow([{ type: "presence", places: [0, 2], watching: 3 }]);
    expect([at.present, at.watching]).toEqual([[0, 2], 3]);
  });
});

test("attempts become rarer, but never rarer than every ten seconds", () => {
  expect(patience(0, 1)).toBe(500);
  expect(patience(3, 0)).toBe(2000);
  expect(patience(30, 1)).toBe(10_000);
});
