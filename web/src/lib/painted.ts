/** Settles once the page shows its first words. Until then, whatever can wait should leave the machine to that. */
export const painted = new Promise<void>((done) => {
  new PerformanceObserver((list, observer) => {
    if (!list.getEntriesByName("first-contentful-paint").length) return;
    observer.disconnect();
    done();
  }).observe({ type: "paint", buffered: true });
  setTimeout(done, 1000); // in a tab that nobody sees, and where browsers don't tell
});
