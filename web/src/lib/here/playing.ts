// Marks a game as under way in this page: no new version takes over until it is left, and stored games should persist.

import { storage } from "./storage.svelte";
import { GAME } from "./versions.svelte";

/** In force until the returned function is called. `keeps`: the game is stored on this device. */
export function playing(keeps: boolean): () => void {
  let over: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (over = resolve));
  void navigator.locks?.request(GAME, { mode: "shared" }, () => until);
  if (keeps) void storage.ask();
  return over;
}
