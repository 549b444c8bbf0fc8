// What happened at the table: shown one after the other, said in one breath to those who hear it, and a bonus move is
// celebrated.

import { m } from "../../paraglide/messages.js";
import { speaker } from "../speaker.svelte";
import { Motion, wantsStill } from "./motion.svelte";
import { cellNumber } from "./parse";
import type { Play } from "./play.svelte";
import { deedWords, toldBy } from "./tilewords";
import type { EventData, Translate } from "./types";

export interface Cheer {
  text: string;
  /** The colours that earned it. */
  colours: number[];
}

export class News {
  readonly motion = new Motion(wantsStill);
  /** A bonus move that was earned just now. */
  bonus = $state.raw<Cheer | null>(null);

  constructor(
    private readonly play: Play,
    private readonly t: Translate,
  ) {}

  /** The placement that is being shown. */
  readonly shown = $derived.by(() => this.play.laid(this.motion.current));
  /** Cells whose tiles are not shown yet; on stacked boards none, since what lay below is not known here. */
  readonly unseen = $derived.by(() => {
    const { board, info } = this.play;
    if (info.stacking) return [];
    return this.motion.waiting.flatMap(({ cells = [] }) => cells.map((cell) => cellNumber(board, cell)));
  });

  /** Take in the events of the game; the new ones are returned. */
  take(): readonly EventData[] {
    const { game, view, seating } = this.play;
    if (!game || !view) return [];
    const fresh = this.motion.follow(game.number, view.events);
    if (!fresh.length) return fresh;
    const others = fresh.filter(({ seat }) => seat !== undefined && !seating.own.has(seat));
    const said = others.map((event) => this.#inWords(event)).filter(Boolean);
    if (said.length) speaker.say(said.join(" "));
    const last = fresh.at(-1);
    const earned = view.bonus > 0 && (last?.type === "place" || last?.type === "play");
    this.bonus = earned ? this.#cheer(view.bonus, last.gain ?? []) : null;
    return fresh;
  }

  #inWords(event: EventData): string {
    return deedWords(toldBy(event, this.play.board), this.play.nameOf(event.seat ?? 0), this.t);
  }

  #cheer(count: number, gain: readonly number[]): Cheer {
    const { play } = this;
    const text = play.mine ? m.table_bonus_own({ count }) : m.table_bonus_of({ name: play.nameOf(play.mover) });
    return { text, colours: gain.flatMap((points, colour) => (points ? [colour] : [])) };
  }
}
