/** Whether the server answers. Every request tells; while it does not, it is looked for. */

/** How long to wait between two looks, in milliseconds. */
const patience = 2000;

class Server {
  away = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** A request was answered, or nobody was there. */
  heard(answered: boolean): void {
    if (answered === !this.away) return;
    this.away = !answered;
    clearTimeout(this.#timer);
    if (this.away) this.#timer = setTimeout(() => void this.#look(), patience);
  }

  async #look(): Promise<void> {
    try {
      if ((await fetch('/healthz', { cache: 'no-store' })).ok) {
        this.heard(true);
        return;
      }
    } catch {
      // Still away.
    }
    this.#timer = setTimeout(() => void this.#look(), patience);
  }
}

export const server = new Server();
