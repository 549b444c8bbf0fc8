// Cards on their way. Whoever lets one go says where it was; where it lies next, it comes from there. Only transforms
// and opacity move, and nothing does for who wishes little motion.

import { wantsStill } from "../motion.svelte";

const TIMING = { duration: 260, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" };

let left: DOMRect | null = null;

/** A card leaves the hand from here. */
export function leaves(from: Element): void {
  left = from.getBoundingClientRect();
}

/** A drawn card slides in. */
export function slideIn(card: Element): void {
  if (!wantsStill()) card.animate([{ translate: "60px -50px", opacity: 0 }, {}], TIMING);
}

/** Open cards: those that stay close up, a new one comes from its hand, and one that goes lies down on the pile. */
export class Flights {
  #before = new Map<number, { card: Element; at: DOMRect }>();

  /** Where everything lies, before it changes. */
  note(cards: ReadonlyMap<number, Element>): void {
    this.#before = new Map([...cards].map(([id, card]) => [id, { card, at: card.getBoundingClientRect() }]));
  }

  /** It has changed: `from` says where a new card comes from, by its element. */
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

/** What has gone is shown once more on its way. */
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
