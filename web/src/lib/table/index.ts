// The table, ready to be put on a page.

export { default as TableScreen } from "./TableScreen.svelte";
