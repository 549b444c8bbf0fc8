// What happens at the table: shown step by step, and announced in one go to screen readers. Whoever earns a bonus move
// calls "Genial!", as at a real table: everybody sees it for a moment, and hears it.

import { m } from "../../paraglide/messages.js";
import { capital } from "../intl";
import { speaker } from "../speaker.svelte";
import { Motion, wantsStill } from "./motion.svelte";
import { cellNumber } from "./parse";
import type { Play } from "./play.svelte";
import { colourWords, deedWords, toldBy } from "./tilewords";
import type { EventData, Translate } from "./types";

/** How long the call is shown, and the moment after the end of a game, in milliseconds. */
export const CALL_LASTS = 2200;
export const END_LASTS = 1400;
/** A call waits until the tile that earned it has been laid. */
const UNTIL_LAID = 700;

export interface Call {
  /** "Genial!" */
  call: string;
  /** What was reached; empty if not known. */
  why: string;
  /** Who earned what. */
  text: string;
  /** The colours that earned it. */
  colours: number[];
  /** The delay in milliseconds. */
  after: number;
}

export class News {
  readonly motion = new Motion(wantsStill);
  /** A bonus move that was just earned. */
  call = $state.raw<Call | null>(null);
  /** The game has just ended while the viewer was watching. */
  ended = $state(false);
  #bonus = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ending: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly play: Play,
    private readonly t: Translate,
  ) {}

  /** The placement being shown. */
  readonly shown = $derived.by(() => this.play.laid(this.motion.current));
  /** Cells whose tiles are not shown yet; none on stacked boards, where what lies below is not known. */
  readonly unseen = $derived.by(() => {
    const { board, info } = this.play;
    if (info.stacking) return [];
    return this.motion.waiting.flatMap(({ cells = [] }) => cells.map((cell) => cellNumber(board, cell)));
  });

  /** Take in the events of the game. Returns the new ones. */
  take(): readonly EventData[] {
    const { game, view, events, seating } = this.play;
    if (!game || !view) return [];
    const fresh = this.motion.follow(game.number, events);
    const before = this.#bonus;
    this.#bonus = view.bonus;
    if (!fresh.length) return fresh;
    if (fresh.some(({ type }) => type === "end")) this.#end();
    const last = fresh.at(-1);
    const laid = last?.type === "place" || last?.type === "play";
    this.#show(laid ? this.#called(earned(before, view.bonus), last.gain ?? []) : null);
    const others = fresh.filter(({ seat }) => seat !== undefined && !seating.own.has(seat));
    const said = others.map((event) => this.#inWords(event)).filter(Boolean);
    // The player to move hears the call together with what to do next (Sentence).
    if (this.call && !this.play.mine) said.push([this.call.call, this.call.why, this.call.text].filter(Boolean).join(" "));
    if (said.length) speaker.say(said.map(ended).join(" "));
    return fresh;
  }

  #inWords(event: EventData): string {
    return deedWords(toldBy(event, this.play.board), this.play.nameOf(event.seat ?? 0), this.t);
  }

  #called(count: number, gain: readonly number[]): Call | null {
    if (count <= 0) return null;
    const { play } = this;
    const gained = gain.flatMap((points, colour) => (points ? [colour] : []));
    const { reached, why } = this.#why(gained, gain);
    const again = play.mine ? m.table_bonus_own({ count }) : m.table_bonus_of({ count, name: play.nameOf(play.mover) });
    return {
      call: m.table_bonus_call(),
      why,
      text: again,
      colours: reached.length ? reached : gained,
      after: wantsStill() ? 0 : UNTIL_LAID + this.motion.behind,
    };
  }

  /** The mover's colours that reached a bonus step with these points, and the same in words. */
  #why(gained: readonly number[], gain: readonly number[]): { reached: number[]; why: string } {
    const { info, seating, mover } = this.play;
    const markers = seating.sides.find(({ seats }) => seats.includes(mover))?.markers ?? [];
    const stepOf = (colour: number): number | undefined => {
      const marker = markers[colour] ?? 0;
      return info.bonus_steps.findLast((step) => step <= marker && step > marker - (gain[colour] ?? 0));
    };
    const reached = gained.filter((colour) => stepOf(colour) !== undefined);
    const place = Math.max(...reached.map((colour) => stepOf(colour) ?? 0));
    const there = reached.filter((colour) => stepOf(colour) === place);
    if (!there.length) return { reached, why: "" };
    const words = { count: there.length, names: capital(colourWords(there, this.t)) };
    const isFull = place === info.track[1];
    return { reached, why: isFull ? m.table_bonus_full(words) : m.table_bonus_reached({ ...words, place }) };
  }

  #end(): void {
    clearTimeout(this.#ending);
    this.ended = true;
    this.#ending = setTimeout(() => (this.ended = false), END_LASTS);
  }

  #show(call: Call | null): void {
    clearTimeout(this.#timer);
    this.call = call;
    if (call) this.#timer = setTimeout(() => (this.call = null), call.after + CALL_LASTS);
  }
}

/** A sentence with a full stop, so that the voice pauses before the next. */
function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** How many bonus moves a placement earned, from those pending before and after it: a bonus move itself uses up one. */
export function earned(before: number, after: number): number {
  return after - Math.max(before - 1, 0);
}
