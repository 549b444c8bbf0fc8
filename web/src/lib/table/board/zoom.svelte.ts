// The visible part of the board: zoomed and panned, never beyond its rim.

const MARGIN = 4;
const MOST = 4;

export class Zoom {
  scale = $state(1);
  x = $state(0);
  y = $state(0);
  readonly #size: () => { width: number; height: number };
  readonly box = $derived.by(() => {
    const { width, height } = this.#size();
    const [w, h] = [(width + 2 * MARGIN) / this.scale, (height + 2 * MARGIN) / this.scale];
    return `${this.x - w / 2} ${this.y - h / 2} ${w} ${h}`;
  });

  constructor(size: () => { width: number; height: number }) {
    this.#size = size;
  }

  reset(): void {
    [this.scale, this.x, this.y] = [1, 0, 0];
  }

  to(scale: number): void {
    this.scale = Math.min(MOST, Math.max(1, scale));
    this.move(0, 0);
  }

  /** Pan the board, in drawing units. */
  move(dx: number, dy: number): void {
    const { width, height } = this.#size();
    const [w, h] = [(width / 2) * (1 - 1 / this.scale), (height / 2) * (1 - 1 / this.scale)];
    this.x = Math.min(w, Math.max(-w, this.x - dx));
    this.y = Math.min(h, Math.max(-h, this.y - dy));
  }
}
