// The cells of the grid as a reader meets them, kept where nothing changed: then nothing is drawn anew.

export interface GridCell {
  readonly n: number;
  readonly label: string;
  /** Whether a half of the aimed tile lies there. */
  readonly isAimed: boolean;
  /** The one cell that the Tab key reaches. */
  readonly isCurrent: boolean;
}

export class GridRows {
  #known: (readonly GridCell[])[] = [];

  /** The cells line by line; lines and cells that are as they were are the very same. */
  of(lines: readonly (readonly number[])[], cellAt: (n: number) => GridCell): readonly (readonly GridCell[])[] {
    this.#known = lines.map((line, row) => {
      const before = this.#known[row];
      const now = line.map((n, col) => kept(before?.[col], cellAt(n)));
      return before?.length === now.length && now.every((cell, col) => cell === before[col]) ? before : now;
    });
    return this.#known;
  }
}

function kept(before: GridCell | undefined, now: GridCell): GridCell {
  const isSame =
    before?.n === now.n &&
    before.label === now.label &&
    before.isAimed === now.isAimed &&
    before.isCurrent === now.isCurrent;
  return isSame ? before : now;
}
