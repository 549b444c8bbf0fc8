// Media queries for scripts, in the same words as in the styles, which cannot read them from here.

/** A small table: history, chat and the menu are sheets. */
export const SMALL = "(max-width: 900px), (max-height: 560px)";

/** A low one as well: score, board and rack are side by side. */
export const ACROSS = "(max-height: 560px) and (min-width: 600px)";

/** A replay stacks its parts. */
export const NARROW = "(max-width: 900px)";

/** Boards have a narrow rim. */
export const TIGHT = "(max-width: 600px), (max-height: 500px)";
