// What runs the tables of this browser, as far as a screen has to know: how much of it is here.

class Engine {
  state = $state<"none" | "loading" | "ready" | "failed">("none");
  /** In bytes. */
  loaded = $state(0);
  total = $state(0);
  /** Begin again after a failure. */
  again: () => void = () => undefined;
}

export const engine = new Engine();
