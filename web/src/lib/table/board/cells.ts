// The labels of the cells of a grid, written only where they changed.

/** Anything with attributes to write. */
export type Written = Pick<Element, "setAttribute">;

export class CellTexts<T extends Written> {
  readonly #known = new Map<string, { on: T | undefined; text: string }[]>();

  constructor(private readonly cells: readonly T[]) {}

  /** Set an attribute of every cell. */
  write(attribute: string, texts: readonly string[]): void {
    const known = this.#known.get(attribute) ?? [];
    this.#known.set(
      attribute,
      texts.map((text, n) => {
        const [on, before] = [this.cells[n], known[n]];
        if (before?.on === on && before?.text === text) return before;
        on?.setAttribute(attribute, text);
        return { on, text };
      }),
    );
  }
}
