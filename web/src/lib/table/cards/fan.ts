// How a hand of cards is held: fanned around a point far below, as wide as there is room for.

/** The width of a card, in pixels: the largest, and the smallest on narrow or low screens. */
const WIDEST = 148;
const NARROWEST = 58;
/** The width of a card as a share of the hand's width, and of the window's height. */
const PART = 0.2;
const OF_HEIGHT = 0.164;
const LEAST_OF_HEIGHT = 66;
/** In card widths: from one card to the next, the distance to the pivot, how far the chosen card rises. */
const STEP = 0.82;
const FAR = 10;
const RISE = 0.31;
const TALL = 1.5;

export interface Place {
  /** The middle of the card's top edge, relative to the top left corner of the hand, in pixels. */
  x: number;
  y: number;
  /** In degrees. */
  angle: number;
}

export interface Fan {
  width: number;
  height: number;
  /** The size of a card, and how far the chosen one rises. */
  card: number;
  rise: number;
  places: Place[];
}

/** Where the cards of a hand lie: there are always as many places as in a full hand. */
export function fan(width: number, screen: number, room: number): Fan {
  const high = Math.max(LEAST_OF_HEIGHT, screen * OF_HEIGHT);
  const card = Math.round(Math.max(NARROWEST, Math.min(WIDEST, width * PART, high)));
  // The outer cards are tilted and take up a little more than their width.
  const step = room > 1 ? Math.min(STEP * card, (width - 1.2 * card) / (room - 1)) : 0;
  const turn = step / (FAR * card);
  const rise = Math.round(RISE * card);
  const places = Array.from({ length: room }, (_, n): Place => {
    const angle = turn * (n - (room - 1) / 2);
    return {
      x: width / 2 + FAR * card * Math.sin(angle),
      y: rise + FAR * card * (1 - Math.cos(angle)),
      angle: (angle * 180) / Math.PI,
    };
  });
  const drop = (places[0]?.y ?? rise) - rise;
  return { width, height: Math.round(rise + TALL * card + drop * 0.8), card, rise, places };
}
