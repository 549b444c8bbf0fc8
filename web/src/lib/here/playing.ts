// A game is under way in this page: no other version takes over until it is left, and what is kept here should stay.

import { storage } from "./storage.svelte";
import { GAME } from "./versions.svelte";

/** Until what is returned is called. `keeps`: the game is kept on this device. */
export function playing(keeps: boolean): () => void {
  let over: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (over = resolve));
  void navigator.locks?.request(GAME, { mode: "shared" }, () => until);
  if (keeps) void storage.ask();
  return over;
}
