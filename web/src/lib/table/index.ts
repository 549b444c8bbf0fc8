// The table, ready to be put on a page.

export { default as TableScreen } from "./TableScreen.svelte";
export { default as Board } from "./Board.svelte";
export { TABLE_WORDS, tableWords } from "./words";
export type { Explain, Translate } from "./types";
