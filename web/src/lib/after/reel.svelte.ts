// The current position in a replay, and its automatic playback.

export const SPEEDS = [0.5, 1, 2, 4] as const;
const MOVE_MS = 1200;

export class Reel {
  /** How many moves have been made. */
  ply = $state(0);
  playing = $state(false);
  speed = $state<number>(1);
  /** Whether the last step was a single move forward, which is worth animating. */
  forward = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    /** The last ply. */
    readonly last: number,
    start: number | null,
  ) {
    this.ply = bounded(start ?? last, last);
  }

  go(ply: number): void {
    const next = bounded(ply, this.last);
    this.forward = next === this.ply + 1;
    this.ply = next;
    if (this.playing) this.#wait();
  }

  step(by: number): void {
    this.pause();
    this.go(this.ply + by);
  }

  toggle(): void {
    if (this.playing) return this.pause();
    if (this.ply === this.last) this.go(0);
    this.playing = true;
    this.#wait();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.ply >= this.last) this.playing = false;
    else this.#timer = setTimeout(() => this.go(this.ply + 1), MOVE_MS / this.speed);
  }
}

function bounded(ply: number, last: number): number {
  return Number.isFinite(ply) ? Math.min(last, Math.max(0, Math.trunc(ply))) : last;
}
