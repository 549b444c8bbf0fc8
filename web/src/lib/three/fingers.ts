// Mouse and touch input on the 3D board. A press without movement points at something; a drag rotates the board, and
// two fingers rotate and zoom it. With a tile in hand, a finger on the board moves the tile, as on the flat board.

/** A press that moved less than this is a click or a tap, in pixels. */
const STILL = 8;
/** How far a finger may miss, in cells. */
const REACH = 3;
/** How far a drag across the whole board rotates it, in radians. */
const ACROSS = 2.6;

export interface Pointed {
  isChoosing: () => boolean;
  isOnBoard: (x: number, y: number) => boolean;
  /** The aimed cell. */
  aimedAt: () => number | undefined;
  /** Aim from a point of the screen. Returns the cell found. */
  aim: (x: number, y: number, reach: number) => number | undefined;
  camera: (around: number, tilt: number, nearer: number) => void;
  place: () => void;
  turn: () => void;
  /** The width of the board on the screen. */
  size: () => number;
}

interface Press {
  x: number;
  y: number;
  /** The previously aimed cell. */
  cell: number | undefined;
  moved: boolean;
  /** Whether it moves the tile. */
  carries: boolean;
}

export class Fingers {
  readonly #at = new Map<number, { x: number; y: number }>();
  #press: Press | null = null;

  constructor(private readonly on: Pointed) {}

  down = (event: PointerEvent): void => {
    const { clientX: x, clientY: y, pointerId, pointerType } = event;
    this.#at.set(pointerId, { x, y });
    (event.currentTarget as Element).setPointerCapture?.(pointerId);
    const first = this.#at.size === 1;
    const carries = first && pointerType !== "mouse" && this.on.isChoosing() && this.on.isOnBoard(x, y);
    this.#press = first && event.button <= 0 ? { x, y, cell: this.on.aimedAt(), moved: false, carries } : null;
    if (carries) this.on.aim(x, y, REACH);
  };

  move = (event: PointerEvent): void => {
    const { clientX: x, clientY: y, pointerId, pointerType } = event;
    const before = this.#at.get(pointerId);
    if (!before) {
      if (pointerType === "mouse" && this.on.isChoosing()) this.on.aim(x, y, 1);
      return;
    }
    const press = this.#press;
    if (press && Math.hypot(x - press.x, y - press.y) >= STILL) press.moved = true;
    if (press && !press.moved) return;
    const apart = this.#apart();
    this.#at.set(pointerId, { x, y });
    if (press?.carries) {
      this.on.aim(x, y, REACH);
      return;
    }
    const share = ACROSS / Math.max(1, this.on.size()) / this.#at.size;
    this.on.camera((before.x - x) * share, (before.y - y) * share * 0.7, apart ? this.#apart() / apart : 1);
  };

  up = (event: PointerEvent): void => {
    const press = this.#press;
    this.cancel(event);
    if (!press || press.moved || !this.on.isChoosing()) return;
    if (event.pointerType === "mouse") {
      if (this.on.aim(event.clientX, event.clientY, 1) !== undefined) this.on.place();
    } else if (press.cell !== undefined && press.cell === this.on.aimedAt()) this.on.turn(); // the button confirms
  };

  cancel = (event: PointerEvent): void => {
    this.#at.delete(event.pointerId);
    this.#press = null;
  };

  #apart(): number {
    const [a, b] = [...this.#at.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }
}
