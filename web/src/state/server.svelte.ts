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
    if (this.away) this.#again();
  }

  /** Asks whether it is there. */
  async look(): Promise<void> {
    let answered = false;
    try {
      answered = (await fetch('/healthz', { cache: 'no-store' })).ok;
    } catch {
      // Nobody.
    }
    if (answered || !this.away) this.heard(answered);
    else this.#again();
  }

  #again(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.look(), patience);
  }
}

export const server = new Server();
