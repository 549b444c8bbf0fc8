// A hint in one or two sentences: what the move scores, and why that is good. It says only what is true.

import type { Thought } from "../api";
import { capital, listed, signed } from "../intl";
import { m } from "../../paraglide/messages.js";
import { colourWords } from "../table/tilewords";
import type { Translate } from "../table/types";
import { gained, total } from "./moves";

export interface HintWords {
  /** What the move scores: "+2 purple." */
  brings: string;
  why: string;
}

interface Around {
  /** All moves that the bot considered. */
  thoughts: readonly Thought[];
  nameOf: (seat: number) => string;
  cards: boolean;
  t: Translate;
}

/** The most reasons to give: nobody wants to read more. */
const MOST = 2;

export function hintWords(thought: Thought, { thoughts, nameOf, cards, t }: Around): HintWords {
  if (thought.move === "swap") return { brings: "", why: cards ? m.hint_swap_cards() : m.hint_swap() };
  if (thought.move === "refill") return { brings: "", why: m.hint_keep() };
  const gains = gained(thought.gain).map(({ colour, points }) => `${signed(points)} ${t(`colour-${colour}`)}`);
  const brings = gains.length ? `${listed(gains)}.` : m.hint_no_points();
  const { reason, threat } = thought;
  const found: string[] = [];
  if (reason?.full.length) found.push(m.hint_bonus({ colours: capital(colourWords(reason.full, t)), count: reason.full.length }));
  if (reason && reason.after > reason.before) {
    const { before, after, rival } = reason;
    const ahead = rival && before <= rival.lowest && after > rival.lowest;
    found.push(
      ahead
        ? m.hint_climbs_ahead({ before, after, name: nameOf(rival.seat), lowest: rival.lowest })
        : m.hint_climbs({ before, after }),
    );
  } else if (reason?.lifted.length) {
    found.push(m.hint_lifts({ colours: capital(colourWords(reason.lifted, t)), count: reason.lifted.length }));
  }
  if (reason?.block) found.push(m.hint_takes({ name: nameOf(reason.block.seat), colour: t(`colour-${reason.block.colour}`) }));
  const others = thoughts.filter((other) => other !== thought);
  const fears = (other: Thought): number => total(other.threat?.gain ?? []);
  if (threat && others.length && others.every((other) => fears(other) > fears(thought))) {
    found.push(m.hint_leaves({ name: nameOf(threat.seat) }));
  }
  // With several lowest colours, naming them says nothing.
  if (!found.length && reason && reason.weakest.length < MOST) {
    found.push(m.hint_stays({ colours: capital(colourWords(reason.weakest, t)), after: reason.after }));
  }
  return { brings: capital(brings), why: found.slice(0, MOST).join(" ") };
}
