// Finds the subject of a step on the screen by what things are (roles, names, data attributes), not by how the table is
// built. All boxes are in window pixels.

import type { LessonView, Lit } from "../api";
import { listed } from "../intl";
import { centre, type Point, SLIM, SPACING, wellOf } from "../look/geometry";
import { partsOf } from "../table/moves";
import { planOf } from "../table/plan";
import { seating } from "../table/seating";
import { colourWords, tileWords } from "../table/tilewords";
import type { BoardInfo, Explained, Translate } from "../table/types";
import { m } from "../../paraglide/messages.js";
import { type Box, type Hole, ROUNDING, around, grown, hexagon, lane, within } from "./holes";

export interface Step {
  view: LessonView;
  board: BoardInfo;
  explained: Explained | null;
  cards: boolean;
  t: Translate;
}

export interface Lighting {
  holes: Hole[];
  /** For the bubble, which avoids these (see Around). */
  lit: Box[];
  needed: Box[];
  dear: Box[];
  large: Box[];
  /** How the board's drawing is mapped to the screen; null if there is none. */
  board: DOMMatrix | null;
  /** Where to show the points of each colour that has gained. */
  gains: { colour: number; points: number; at: Point }[];
}

const GAP = 6;
/** A little more than half a marker, for a marker at the end of its lane. */
const STRIP = 16;
/** How far the light around a move reaches, in drawing units. */
const REACH = 2.6 * SPACING;

/** What the learner is doing: reading the task, doing it, or looking at an explanation or result. */
export type Attention = "reading" | "doing" | "seeing";

/** What to light for a step on a screen. */
export function lightOn(screen: HTMLElement, step: Step, attention: Attention): Lighting {
  const { view } = step;
  const parts = new Parts(screen, step);
  const onBoard = view.lit.includes("board") || view.lit.includes("spot");
  // Readers first see where to play; they take a tile later.
  const later = (lit: Lit): boolean => attention === "reading" && onBoard && (lit === "rack" || lit === "tile");
  const holes = view.lit.filter((lit) => !later(lit)).flatMap((lit) => parts.holesOf(lit));
  const lit = holes.map(({ box }) => box);
  const needed = attention === "doing" ? parts.needed() : [];
  // While a tile is in hand the whole board must be visible.
  const aims = attention === "doing" && screen.querySelector('.rack [aria-pressed="true"]') !== null;
  const plain = [...needed, ...(aims ? parts.whole() : [])];
  const above = headOf(screen);
  return {
    holes: [...above.map((box) => lane(box, false)), ...plain.map((box) => lane(grown(box, GAP), false)), ...holes],
    lit,
    needed,
    // Somebody placing a tile may want to see other spots as well.
    dear: [...parts.tracks(), ...above, ...(attention === "doing" ? parts.whole() : [])],
    large: parts.whole(),
    board: parts.matrix(),
    gains: view.done ? parts.gains() : [],
  };
}

/** The lighting when there is nothing left to show. */
export function dark(screen: HTMLElement): Lighting {
  return { holes: headOf(screen).map((box) => lane(box, false)), lit: [], needed: [], dear: [], large: [], board: null, gains: [] };
}

/** The head of the table with the way out is never dimmed; it is lit from edge to edge if it is that wide. */
function headOf(screen: HTMLElement): Box[] {
  const head = screen.querySelector("header");
  if (!head) return [];
  const { y, width, height } = boxOf(head);
  if (width < window.innerWidth * 0.8) return [grown(boxOf(head), GAP)];
  return [{ x: -GAP, y: -2 * ROUNDING, width: window.innerWidth + 2 * GAP, height: y + height + 2 * ROUNDING + GAP }];
}

/** Describes what is lit. */
export function litWords({ view, board, cards, t }: Step): string {
  const move = view.move === null ? null : partsOf(board, view.move);
  const [first = "", second = ""] = [move?.aim?.cell ?? -1, move?.other ?? -1].map((n) => board.names[n] ?? "");
  const words = view.lit.map((lit): string => {
    switch (lit) {
      case "tracks":
        return m.lesson_lit_tracks();
      case "lowest":
        return m.lesson_lit_colours({ names: colourWords(lowest(view), t) });
      case "gained":
        return gained(view).length ? m.lesson_lit_colours({ names: colourWords(gained(view), t) }) : "";
      case "board":
        return m.lesson_lit_board();
      case "spot":
        return cards ? m.lesson_lit_cards() : m.lesson_lit_spot({ first, second });
      case "rack":
        return cards ? m.lesson_lit_hand() : m.lesson_lit_rack();
      case "tile":
        return move ? tileWords(move.tile, cards, t) : "";
      case "turn":
        return m.lesson_lit_turn();
      case "result":
        return m.lesson_lit_result();
    }
  });
  const said = words.filter(Boolean);
  return said.length ? m.lesson_lit({ what: listed(said) }) : "";
}

class Parts {
  constructor(
    private readonly screen: HTMLElement,
    private readonly step: Step,
  ) {}

  holesOf(lit: Lit): Hole[] {
    const { view, board } = this.step;
    const lanes = (boxes: readonly Box[], by = GAP): Hole[] => boxes.map((box) => lane(grown(box, by), true));
    switch (lit) {
      case "tracks":
        return lanes(this.tracks(), 4);
      case "lowest":
        return lanes(this.#lanes(lowest(view)), 0);
      case "gained":
        return lanes(this.#lanes(gained(view)), 0);
      case "board":
        return this.#board();
      case "spot":
        return this.#spot(view.move === null ? null : partsOf(board, view.move)?.aim?.cell ?? null);
      case "rack":
        return lanes(this.#rack());
      case "tile":
        return lanes(this.#tiles(), 2);
      case "turn":
        return lanes(this.#first('[aria-keyshortcuts~="s"]') ?? this.#turn());
      case "result":
        return lanes(this.#result());
    }
  }

  /** What the learner needs besides what is lit: tiles, and the buttons beside them. */
  needed(): Box[] {
    return [...this.#rack(), ...this.#turn()];
  }

  /** The board, flat or in 3D, or the cards on the table. */
  whole(): Box[] {
    if (this.step.cards) return this.#named("section", m.table_open_cards());
    return this.#boxes('[role="grid"]');
  }

  /** The viewer's track. */
  tracks(): Box[] {
    const holder = this.#markers()[0]?.offsetParent;
    return holder ? [boxOf(holder)] : [];
  }

  /** From drawing units to pixels; the 3D view has no such mapping. */
  matrix(): DOMMatrix | null {
    if (this.#named('[role="group"]', m.three_board()).length) return null;
    return this.screen.querySelector<SVGSVGElement>('svg[role="grid"]')?.getScreenCTM() ?? null;
  }

  gains(): Lighting["gains"] {
    const { gain } = this.step.view;
    if (this.#markers().length < gain.length) return [];
    return gained(this.step.view).flatMap((colour) =>
      this.#lanes([colour]).map(({ x, y, width }) => ({ colour, points: gain[colour] ?? 0, at: [x + width / 2, y] as Point })),
    );
  }

  #board(): Hole[] {
    const matrix = this.matrix();
    if (!matrix) return this.whole().map((box) => lane(box, true));
    // The well and as much of the rim as a phone shows.
    const edge = (wellOf(this.step.board.radius) + SLIM) / Math.cos(Math.PI / 6);
    return [hexagon([matrix.e, matrix.f], edge * matrix.a, true)];
  }

  #spot(cell: number | null): Hole[] {
    const { board, explained, view } = this.step;
    const matrix = this.matrix();
    const [box] = this.whole();
    const move = view.move === null ? null : partsOf(board, view.move);
    if (!box || cell === null || !matrix || !move) return this.whole().map((found) => lane(grown(found, GAP), true));
    const ends = [cell, move.other].map((n) => planOf(board).points[n] ?? [0, 0]);
    const rays = (explained?.halves ?? []).flatMap(({ rays }) => rays.flatMap(({ cells }) => cells.slice(-1).map(centre)));
    const shape = around([...ends, ...rays].map(([x, y]) => ({ x, y, width: 0, height: 0 })));
    if (!shape) return [];
    const middle: Point = [shape.x + shape.width / 2, shape.y + shape.height / 2];
    const reach = Math.max(REACH, Math.hypot(shape.width, shape.height) / 2 + 1.1 * SPACING);
    return [within([middle[0] * matrix.a + matrix.e, middle[1] * matrix.d + matrix.f], reach * matrix.a, box, true)];
  }

  /** The tiles on the rack that the move uses. */
  #tiles(): Box[] {
    const { view, board, cards, t } = this.step;
    const tile = view.move === null ? undefined : partsOf(board, view.move)?.tile;
    if (!tile) return [];
    const names = [tile, [...tile].reverse().join("")].map((letters) => tileWords(letters, cards, t));
    const found = [...this.screen.querySelectorAll(".rack button")].find((button) => {
      const label = button.getAttribute("aria-label") ?? "";
      return names.some((name) => label === name || label.startsWith(`${name},`));
    });
    return found ? [boxOf(found)] : this.#rack();
  }

  /** The learner's own rack: nobody else's tiles can be taken. */
  #rack(): Box[] {
    const tiles = around(this.#boxes(".rack button"));
    return tiles ? [tiles] : [];
  }

  #turn(): Box[] {
    return this.#named('[role="group"]', m.table_turn());
  }

  #result(): Box[] {
    const title = this.screen.querySelector("#result-title");
    const holder = title?.closest("section") ?? title?.parentElement;
    if (!holder) return [];
    // On small screens it continues further down; its beginning says who won.
    const box = boxOf(holder);
    return [{ ...box, height: Math.min(box.height, window.innerHeight * 0.4) }];
  }

  #markers(): HTMLElement[] {
    return [...this.screen.querySelectorAll<HTMLElement>("[data-track]")].filter(isShown);
  }

  /** The lanes of some colours, or the whole track if lanes cannot be told apart. */
  #lanes(colours: readonly number[]): Box[] {
    const markers = this.#markers().sort((a, b) => Number(a.dataset["track"]) - Number(b.dataset["track"]));
    const holder = markers[0]?.offsetParent;
    if (!holder || markers.length < 6) return colours.length ? this.tracks() : [];
    const whole = boxOf(holder);
    const middles = markers.map(boxOf).map(({ x, y, width, height }): Point => [x + width / 2, y + height / 2]);
    return colours.flatMap((colour) => laneOf(whole, middles, colour) ?? []);
  }

  #named(selector: string, name: string): Box[] {
    return [...this.screen.querySelectorAll(selector)].filter((found) => found.getAttribute("aria-label") === name && isShown(found)).map(boxOf);
  }

  #boxes(selector: string): Box[] {
    return [...this.screen.querySelectorAll(selector)].filter(isShown).map(boxOf);
  }

  #first(selector: string): Box[] | null {
    const [first] = this.#boxes(selector);
    return first ? [first] : null;
  }
}

/** A lane extends half way to the next, whether lanes are side by side or one above the other. */
function laneOf({ x, y, width, height }: Box, middles: readonly Point[], colour: number): Box | null {
  const stand = middles.every(([at], n) => n === 0 || at > (middles[n - 1]?.[0] ?? 0) + 4);
  const axis = stand ? 0 : 1;
  const along = middles.map((point) => point[axis]);
  const [first = 0, last = 0, at] = [along[0], along.at(-1), along[colour]];
  if (at === undefined) return null;
  const pitch = (last - first) / (along.length - 1);
  // On small screens the marker is at the end of its lane.
  if (stand && width > 3 * height) return { x: at - pitch + STRIP, y, width: pitch - 2, height };
  return stand ? { x: at - pitch / 2, y, width: pitch, height } : { x, y: at - pitch / 2, width, height: pitch };
}

function lowest(view: LessonView): number[] {
  const game = view.table.game;
  return game ? (seating(game.sides, game.view.viewer).mine?.weakest ?? []) : [];
}

function gained(view: LessonView): number[] {
  return view.gain.flatMap((points, colour) => (points ? [colour] : []));
}

function isShown(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0;
}

function boxOf(element: Element): Box {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
}
