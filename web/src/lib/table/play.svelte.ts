// The viewer's side of a table: everything shown follows from the table as sent by the server and from what the viewer
// has chosen (Choice). Nothing here knows the rules: what may be done is in `legal`.

import type { UnderWay } from "../net/underway.svelte";
import { Choice } from "./choice.svelte";
import { broughtBy, heat, moveText, partsOf, spotAt, spotsOf, turned } from "./moves";
import { cellNumber } from "./parse";
import { lastMoves, marksOf, namesOf, seating } from "./seating";
import type { BoardInfo, Brought, CardPoints, EventData, Laid, TableView, VariantInfo } from "./types";

export interface Given {
  table: TableView;
  board: BoardInfo;
  info: VariantInfo;
  underWay: UnderWay;
  /** Nothing can be sent. */
  pending: boolean;
  onAct: (move: string) => void;
  onBack: () => void;
}

const NOTHING: never[] = [];

export class Play {
  readonly choice = new Choice();

  /** The given props are read one by one, so that unchanged ones trigger nothing. */
  constructor(private readonly given: Given) {}

  readonly table = $derived.by(() => this.given.table);
  readonly board = $derived.by(() => this.given.board);
  readonly info = $derived.by(() => this.given.info);
  readonly game = $derived(this.table.game);
  readonly view = $derived(this.game?.view ?? null);
  readonly events = $derived(this.view?.events ?? NOTHING);
  readonly #holders = $derived(this.table.places);
  readonly #places = $derived(this.game?.places ?? NOTHING);
  readonly #sides = $derived(this.game?.sides ?? NOTHING);
  readonly #viewer = $derived(this.view?.viewer ?? NOTHING);
  /** By seat. */
  readonly names = $derived(namesOf(this.#places, this.#holders));
  readonly bots = $derived(this.#places.map((place) => this.#holders[place]?.bot ?? null));
  readonly seating = $derived(seating(this.#sides, this.#viewer));
  /** By seat. */
  readonly marks = $derived(marksOf(this.seating));
  /** The seat to move. */
  readonly mover = $derived(this.view?.seat ?? 0);
  readonly over = $derived(this.view?.phase === "over");
  /** Whether the viewer has won; for a spectator somebody always has. */
  readonly hasWon = $derived.by(() => {
    const { own } = this.seating;
    const first = (this.view?.result?.ranks ?? []).flatMap((rank, seat) => (rank === 1 ? [seat] : []));
    return this.over && (!own.size || first.some((seat) => own.has(seat)));
  });
  /** Only the player to move is sent the legal moves. */
  readonly legal = $derived(this.table.legal);
  readonly mine = $derived(this.legal !== null && !this.over);
  /** The seat whose rack is shown to the viewer. */
  readonly own = $derived.by(() => {
    const { own } = this.seating;
    return own.has(this.mover) ? this.mover : own.size ? Math.min(...own) : null;
  });
  readonly rack = $derived(this.own === null ? [] : (this.view?.racks[this.own] ?? []));
  readonly placing = $derived(this.mine && this.legal?.phase === "place");
  readonly ending = $derived(this.mine && this.legal?.phase === "end-turn");
  readonly #only = $derived(this.placing && this.info.rack === 1 ? 0 : null);
  readonly tile = $derived(this.placing && this.choice.held !== null ? (this.rack[this.choice.held] ?? null) : null);
  readonly spots = $derived(spotsOf(this.board, this.legal));
  readonly spot = $derived(this.tile ? spotAt(this.spots, this.choice.aim) : null);
  /** Both orders of the chosen card's symbols. */
  readonly orders = $derived.by((): CardPoints[] => {
    const [first, second] = this.tile ?? "";
    return (this.legal?.cards ?? []).filter(({ tile }) => tile === `${first}${second}` || tile === `${second}${first}`);
  });
  readonly spelled = $derived(this.orders.find(({ tile }) => tile === this.choice.spelled) ?? best(this.orders));
  readonly brought = $derived.by((): Brought | null => {
    if (this.spot && this.tile) return broughtBy(this.legal, this.tile, this.spot);
    const card = this.spelled;
    return card && { gain: card.gain, count: card.gain.reduce((a, b) => a + b, 0), bonus: card.bonus };
  });
  readonly heat = $derived(this.choice.heat && this.tile ? heat(this.legal, this.spots, this.tile) : null);
  /** The complete move, once there is one. */
  readonly move = $derived.by(() => {
    if (!this.tile) return null;
    if (!this.info.board) return this.spelled?.tile ?? null;
    return this.spot ? moveText(this.board, this.tile, this.spot) : null;
  });
  readonly last = $derived(lastMoves(this.events).flatMap((event) => this.laid(event) ?? []));
  /** Something was sent and has not been answered yet, or nothing can be sent. */
  readonly busy = $derived.by(() => this.given.pending || this.given.underWay.busy);
  /** Busy for so long that it should be shown. */
  readonly waits = $derived.by(() => this.given.pending || this.given.underWay.slow);
  /** Buttons that appear under a finger right after a press do not react yet. */
  readonly still = $derived.by(() => this.busy || this.given.underWay.fresh);

  /** A placement by its cell numbers. */
  laid(event: EventData | null): Laid | null {
    const [first, second] = (event?.cells ?? []).map((cell) => cellNumber(this.board, cell));
    if (!event || first === undefined || second === undefined) return null;
    return { cells: [first, second], seat: event.seat ?? 0, gain: event.gain ?? [] };
  }

  nameOf(seat: number): string {
    return this.names[seat] ?? "";
  }

  /** Take a tile or card; taking it again with a pointer puts it back. */
  take(n: number, again: "keeps" | "returns"): void {
    if (!this.placing || this.rack[n] === undefined) return;
    if (this.choice.held === n && again === "returns") this.putBack();
    else this.choice.take(n);
  }

  /** Take and aim as in a move in notation, so that it is shown and can be made; null puts the tile back. */
  show(move: string | null): void {
    const parts = move === null ? null : partsOf(this.board, move);
    const [first, second] = parts?.tile ?? "";
    const held = this.rack.findIndex((tile) => tile === `${first}${second}` || tile === `${second}${first}`);
    if (!this.placing || !parts || held < 0) return this.choice.take(null);
    this.choice.take(held);
    this.choice.spelled = parts.tile;
    // On the rack it may lie the other way round.
    const turned = this.rack[held] !== parts.tile;
    const { aim, other } = parts;
    if (aim) this.choice.aimAt(turned ? { cell: other, direction: (aim.direction + 3) % 6 } : aim);
  }

  /** Put back what was taken; somebody with only one tile keeps it in hand. */
  putBack(): void {
    this.choice.take(this.#only);
  }

  /** Rotate the tile where it is aimed, or in advance; for a card, swap the order of its symbols. */
  turn(by: 1 | -1): void {
    const { choice } = this;
    if (!this.info.board) this.#spellOther();
    else if (choice.aim) choice.aimAt(turned(this.spots, choice.aim, by));
    else choice.direction = (choice.direction + by + 6) % 6;
  }

  #spellOther(): void {
    const other = this.orders.find(({ tile }) => tile !== this.spelled?.tile);
    if (other) this.choice.spelled = other.tile;
  }

  /** Make the chosen move; if it is incomplete, say what is missing. */
  place(): void {
    const { move } = this;
    if (!move) this.choice.missing = this.tile ? "space" : "tile";
    else if (this.isFree()) this.given.onAct(move);
  }

  /** Make a move in notation that was only shown so far. */
  make(move: string): void {
    if (move === "refill" || move === "swap") return this.end(move);
    this.show(move);
    this.place();
  }

  end(how: "refill" | "swap"): void {
    if (this.ending && (how === "refill" || this.legal?.swap) && this.isFree()) this.given.onAct(how);
  }

  back(): void {
    if (this.table.back && this.isFree()) this.given.onBack();
  }

  /** Whether something can be sent. A lost connection is visible anyway; a press that comes too early is reported. */
  isFree(): boolean {
    return !this.given.pending && !this.given.underWay.refuses();
  }
}

/** The order that scores more; both are shown. */
function best(orders: readonly CardPoints[]): CardPoints | null {
  const sum = ({ gain }: CardPoints): number => gain.reduce((a, b) => a + b, 0);
  return orders.reduce<CardPoints | null>((found, next) => (found && sum(found) >= sum(next) ? found : next), null);
}
