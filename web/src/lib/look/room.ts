// How much room there is: what scripts ask in the same words as the styles, which cannot read it from here.

/** The table is small: history, chat and the menu are sheets. */
export const SMALL = "(max-width: 900px), (max-height: 560px)";

/** It is low, too: score, board and rack beside each other. */
export const ACROSS = "(max-height: 560px) and (min-width: 600px)";

/** A replay has its parts below each other. */
export const NARROW = "(max-width: 900px)";

/** Boards have a narrow rim. */
export const TIGHT = "(max-width: 600px), (max-height: 500px)";
