// Installing the app. Browsers offer it when they see fit; the offer then waits in the settings until it is wanted.

interface Offer extends Event {
  prompt(): Promise<unknown>;
}

class Installing {
  offer = $state.raw<Offer | null>(null);

  /** Catch the offer, which comes once and early. */
  listen(): void {
    addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault();
      this.offer = event as Offer;
    });
    addEventListener("appinstalled", () => (this.offer = null));
  }

  async install(): Promise<void> {
    const { offer } = this;
    this.offer = null; // it can be used only once
    await offer?.prompt();
  }
}

export const installing = new Installing();
