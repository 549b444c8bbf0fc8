// The table, ready for use on a page.

export { default as TableScreen } from "./TableScreen.svelte";
