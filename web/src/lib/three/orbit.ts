// The camera: its angle around the board, tilt and distance. It eases towards its goal. Pure: no three.js.

import { type Point, polar } from "../look/geometry";

/** The angle from straight above, in radians. */
const STEEPEST = 0.1;
const FLATTEST = 1.35;
/** Relative to the distance that shows the whole board. */
const NEAREST = 0.35;
const FARTHEST = 1.5;
/** The time constant of the easing: two thirds of the way in this many milliseconds. */
const EASE = 90;

export interface Gaze {
  /** Around the board, in radians. */
  around: number;
  tilt: number;
  /** Relative to the distance that shows the whole board. */
  far: number;
}

const KEYS = ["around", "tilt", "far"] as const;

export class Orbit {
  /** The current view. */
  now: Gaze = { around: 0, tilt: STEEPEST, far: 1 };
  #goal: Gaze = { ...this.now };
  /** The initial view. */
  #home: Gaze = { ...this.now };
  #moved = false;

  /** Set the initial view; a camera that has been moved stays where it is. */
  settle(tilt: number): void {
    this.#home = { around: 0, tilt, far: 1 };
    if (!this.#moved) this.#goal = { ...this.#home };
  }

  reset(): void {
    this.#moved = false;
    // Take the shorter way round.
    const turns = Math.round(this.now.around / (2 * Math.PI)) * 2 * Math.PI;
    this.now.around -= turns;
    this.#goal = { ...this.#home };
  }

  move(around: number, tilt: number, nearer = 1): void {
    this.#moved = true;
    this.#goal.around += around;
    this.#goal.tilt = Math.min(FLATTEST, Math.max(STEEPEST, this.#goal.tilt + tilt));
    this.#goal.far = Math.min(FARTHEST, Math.max(NEAREST, this.#goal.far / nearer));
  }

  /** Advance by this many milliseconds; false once it has arrived. */
  step(time: number): boolean {
    const part = 1 - Math.exp(-time / EASE);
    let under = false;
    for (const key of KEYS) {
      const rest = this.#goal[key] - this.now[key];
      under ||= Math.abs(rest) > 0.001;
      this.now[key] = Math.abs(rest) > 0.001 ? this.now[key] + rest * part : this.#goal[key];
    }
    return under;
  }
}

/** How much of a frame's height and width is visible at a distance of 1. */
export interface Frame {
  half: number;
  aspect: number;
}

/** The distance, and the height above the centre, at which a board of this size fills the frame. */
export function fit(edge: number, high: number, tilt: number, { half, aspect }: Frame): { far: number; up: number } {
  const [sin, cos] = [Math.sin(tilt), Math.cos(tilt)];
  const corners = [0, 60, 120, 180, 240, 300].map((angle): Point => polar(angle, edge));
  const points = corners.flatMap(([x, z]) => [high, -high].map((y) => ({ x, up: y * sin - z * cos, near: y * cos + z * sin })));
  let up = 0;
  let far = edge * 4;
  for (let n = 0; n < 12; n++) {
    const ups = points.map((point) => (point.up - up) / (far - point.near));
    const [low, top] = [Math.min(...ups), Math.max(...ups)];
    const wide = Math.max(...points.map((point) => Math.abs(point.x) / (far - point.near)));
    up += ((low + top) / 2) * far;
    far *= Math.max((top - low) / 2 / half, wide / (half * aspect));
  }
  return { far, up };
}

/** The wider the frame, the flatter the view, so that the board fills it in both directions. */
export function tiltFor(aspect: number): number {
  return Math.min(0.82, Math.max(0.46, 0.46 + (aspect - 0.9) * 0.5));
}
