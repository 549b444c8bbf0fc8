// Keeps the light on its subject: reports when anything on the screen may have moved, at most once per frame.

const MOVES = ["class", "style", "aria-pressed", "hidden", "open", "viewBox"];

/** Call `update` whenever something on the screen may have moved. Returns a function that stops it. */
export function follow(screen: HTMLElement, update: () => void): () => void {
  let frame = 0;
  const ask = (): void => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      update();
    });
  };
  const sizes = new ResizeObserver(ask);
  sizes.observe(screen);
  const changes = new MutationObserver(ask);
  changes.observe(screen, { subtree: true, childList: true, attributes: true, attributeFilter: MOVES });
  const heard = new AbortController();
  const quietly = { capture: true, passive: true, signal: heard.signal };
  addEventListener("scroll", ask, quietly);
  addEventListener("resize", ask, quietly);
  for (const end of ["transitionend", "animationend", "toggle"]) screen.addEventListener(end, ask, quietly);
  ask();
  return () => {
    cancelAnimationFrame(frame);
    sizes.disconnect();
    changes.disconnect();
    heard.abort();
  };
}
