// Moving cards. A card that leaves reports where it was, and flies from there to where it lies next. Only transform and
// opacity are animated, and nothing at all with reduced motion.

import { wantsStill } from "../motion.svelte";

const TIMING = { duration: 260, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" };

let left: DOMRect | null = null;

/** Note where a card leaves the hand. */
export function leaves(from: Element): void {
  left = from.getBoundingClientRect();
}

/** Slide in a drawn card. */
export function slideIn(card: Element): void {
  if (!wantsStill()) card.animate([{ translate: "60px -50px", opacity: 0 }, {}], TIMING);
}

/** Open cards: those that stay close up, a new one comes from its hand, and a discarded one moves to the pile. */
export class Flights {
  #before = new Map<number, { card: Element; at: DOMRect }>();

  /** Note where everything is before it changes. */
  note(cards: ReadonlyMap<number, Element>): void {
    this.#before = new Map([...cards].map(([id, card]) => [id, { card, at: card.getBoundingClientRect() }]));
  }

  /** Animate the change. `from` gives the element a new card comes from. */
  fly(cards: ReadonlyMap<number, Element>, from: (card: Element) => Element | null, pile: Element | undefined): void {
    const before = this.#before;
    if (wantsStill() || !before.size) return;
    for (const [id, card] of cards) {
      const old = before.get(id);
      if (old) move(card, old.at, 1);
      else {
        const source = from(card);
        move(card, source ? source.getBoundingClientRect() : left, source ? 0 : 1);
      }
    }
    for (const [id, { card, at }] of before) if (!cards.has(id) && pile) lieDown(card, at, pile);
    left = null;
  }
}

function move(card: Element, from: DOMRect | null, opacity: number): void {
  const to = card.getBoundingClientRect();
  if (!from || (Math.abs(from.x - to.x) < 1 && Math.abs(from.y - to.y) < 1)) return;
  card.animate([{ translate: between(to, from), scale: from.width / Math.max(1, to.width), opacity }, {}], TIMING);
}

/** Show a discarded card once more, on its way to the pile. */
function lieDown(card: Element, from: DOMRect, pile: Element): void {
  const gone = card.cloneNode(true) as HTMLElement;
  const { width, height } = from;
  const host = pile.getBoundingClientRect();
  Object.assign(gone.style, { position: "absolute", left: "0", top: "0", width: `${width}px`, height: `${height}px` });
  gone.setAttribute("aria-hidden", "true");
  pile.append(gone);
  const x = from.x - host.x;
  const y = from.y - host.y;
  const way = gone.animate([{ translate: `${x}px ${y}px` }, { translate: "0 0", opacity: 0.2 }], TIMING);
  const end = (): void => gone.remove();
  way.finished.then(end, end);
}

function between(here: DOMRect, there: DOMRect): string {
  return `${there.x + there.width / 2 - here.x - here.width / 2}px ${there.y + there.height / 2 - here.y - here.height / 2}px`;
}
