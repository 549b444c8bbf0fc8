// Keyboard navigation on a hexagonal board: along a row, up and down near one column, to the next permitted cell.

import { SPACING } from "../../look/geometry";
import type { Plan } from "../plan";

export class GridKeys {
  /** Up and down stay in a column as far as the offset rows allow. */
  #column: number | null = null;

  constructor(
    private readonly plan: () => Plan,
    private readonly isPermitted: (cell: number) => boolean,
  ) {}

  /** The cell that a key leads to; null for other keys, -1 at the edge of the board. */
  target(pressed: string, current: number): number | null {
    const { lines, around } = this.plan();
    const row = lines.findIndex((line) => line.includes(current));
    const line = lines[row] ?? [];
    switch (pressed) {
      case "ArrowRight":
        return around[current]?.[0] ?? -1;
      case "ArrowLeft":
        return around[current]?.[3] ?? -1;
      case "ArrowDown":
        return this.#above(lines[row + 1], current);
      case "ArrowUp":
        return this.#above(lines[row - 1], current);
      case "Home":
        return line[0] ?? -1;
      case "End":
        return line.at(-1) ?? -1;
      case "PageDown":
        return this.#permittedFrom(current, 1);
      case "PageUp":
        return this.#permittedFrom(current, -1);
      default:
        return null;
    }
  }

  /** The focus has reached a cell; if it is far from the column, the column is reset. */
  arrived(cell: number): void {
    if (Math.abs(this.#x(cell) - (this.#column ?? 0)) > SPACING * 0.6) this.#column = null;
  }

  #x(cell: number): number {
    return this.plan().points[cell]?.[0] ?? 0;
  }

  #above(line: readonly number[] | undefined, current: number): number {
    const x = (this.#column ??= this.#x(current));
    return line?.toSorted((a, b) => Math.abs(this.#x(a) - x) - Math.abs(this.#x(b) - x))[0] ?? -1;
  }

  /** The next cell in reading order that the tile's first symbol may lie on. */
  #permittedFrom(current: number, by: 1 | -1): number {
    const order = this.plan().lines.flat();
    const start = order.indexOf(current);
    for (let n = 1; n <= order.length; n++) {
      const cell = order[(start + by * n + n * order.length) % order.length] ?? -1;
      if (this.isPermitted(cell)) return cell;
    }
    return -1;
  }
}
