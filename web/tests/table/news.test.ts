import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { speaker } from "../../src/lib/speaker.svelte";
import { CALL_LASTS, END_LASTS, News, earned } from "../../src/lib/table/news.svelte";
import type { Play } from "../../src/lib/table/play.svelte";
import { rendered } from "../../src/lib/words";
import { hexagon } from "./board";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { documentElement: { hasAttribute: () => true } });
  speaker.say("");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const WORDS = { "colour-0": "red", "colour-4": "blue", points: ["{count} point", "{count} points"] as [string, string] };
const card = { type: "play", seat: 1, tile: "RB", gain: [2, 0, 0, 0, 1, 0] };
const table = { bonus: 0, events: [] as object[], mine: false, markers: [18, 0, 0, 0, 9, 0] };

function newsOf(seen: typeof table): News {
  const play = {
    board: hexagon(2),
    game: { number: 0 },
    get view() {
      return { bonus: seen.bonus };
    },
    get events() {
      return seen.events;
    },
    get mine() {
      return seen.mine;
    },
    mover: 1,
    info: { bonus_steps: [18], track: [0, seen.markers[0] === 18 ? 18 : 36] },
    seating: {
      own: new Set([0]),
      get sides() {
        return [{ seats: [1], markers: seen.markers }];
      },
    },
    nameOf: () => "Ben",
  };
  const news = new News(play as unknown as Play, (code, params) => rendered(WORDS, code, params));
  news.take();
  return news;
}

test("whoever earns a bonus move calls Genial, and all see and hear it for a moment", () => {
  const seen = { ...table };
  const news = newsOf(seen);
  expect(news.call).toBeNull();
  seen.events = [card];
  seen.bonus = 1;
  news.take();
  expect(news.call).toEqual({ call: "Genial!", why: "Red is full.", text: "Ben gets a bonus move", colours: [0], after: 0 });
  expect(speaker.said).toBe("Ben: red blue card, 3 points. Genial! Red is full. Ben gets a bonus move.");
  vi.advanceTimersByTime(CALL_LASTS);
  expect(news.call).toBeNull();
});

test("who earned it is told with what to do next, so nothing is said twice", () => {
  const seen = { ...table, mine: true };
  const news = newsOf(seen);
  seen.events = [{ ...card, seat: 0 }];
  seen.bonus = 2;
  news.take();
  expect(news.call?.text).toBe("You get 2 bonus moves");
  expect(speaker.said.trim()).toBe("");
});

test("a bonus move that earns nothing new is not called again", () => {
  const seen = { ...table, bonus: 2 };
  const news = newsOf(seen);
  seen.events = [card];
  seen.bonus = 1;
  news.take();
  expect(news.call).toBeNull();
  expect([earned(0, 1), earned(1, 1), earned(2, 1), earned(1, 0)]).toEqual([1, 1, 0, 0]);
});

test("where a track goes on, the place is told", () => {
  const seen = { ...table, markers: [19, 0, 0, 0, 9, 0] };
  const news = newsOf(seen);
  seen.events = [card];
  seen.bonus = 1;
  news.take();
  expect(news.call?.why).toBe("Red has reached 18.");
});

test("a game that ends is noticed for a moment, and one that was over is not", () => {
  const over = { ...table, events: [card, { type: "end" }] };
  expect(newsOf(over).ended).toBe(false);
  const seen = { ...table };
  const news = newsOf(seen);
  seen.events = [card, { type: "end" }];
  news.take();
  expect(news.ended).toBe(true);
  vi.advanceTimersByTime(END_LASTS);
  expect(news.ended).toBe(false);
});
