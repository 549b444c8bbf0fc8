// The state of the engine that runs this browser's tables, as far as the screens need it: how much has been loaded.

class Engine {
  state = $state<"none" | "loading" | "ready" | "failed">("none");
  /** In bytes. */
  loaded = $state(0);
  total = $state(0);
  /** Start again after a failure. */
  again: () => void = () => undefined;
}

export const engine = new Engine();
