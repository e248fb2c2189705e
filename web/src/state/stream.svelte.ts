/**
 * A stream of the server's events that does not give up: after a break it tries again, with longer and longer waits, and tells
 * how it stands.
 */

export type Connection = 'opening' | 'open' | 'lost' | 'closed';

const firstWait = 500;
const longestWait = 5_000;

export interface Hearing {
  /** Names of the events to listen to; unnamed ones are `message`. */
  names: string[];
  hear: (name: string, data: string) => void;
  /** Called whenever the stream stands again after a break. */
  again?: () => void;
  /** Called whenever the stream has broken. */
  broken?: () => void;
  /** Whether all has been said: then an end is no break. */
  over?: () => boolean;
}

export class Stream {
  connection = $state<Connection>('opening');
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wait = firstWait;

  constructor(
    /** Where to listen; asked anew at every attempt, so that it can say what is known already. */
    private readonly url: () => string,
    private readonly hearing: Hearing,
  ) {
    this.#open();
  }

  #open(): void {
    const source = new EventSource(this.url());
    this.#source = source;
    source.onopen = () => {
      const broken = this.connection === 'lost';
      this.connection = 'open';
      this.#wait = firstWait;
      if (broken) this.hearing.again?.();
    };
    source.onerror = () => this.#retry();
    for (const name of this.hearing.names) {
      source.addEventListener(name, (event) => {
        if (event instanceof MessageEvent) this.hearing.hear(name, String(event.data));
      });
    }
  }

  /** The browser's own attempts stop at the first answer that is an error: ours do not. */
  #retry(): void {
    if (this.connection === 'closed') return;
    this.#source?.close();
    if (this.hearing.over?.()) {
      this.close();
      return;
    }
    this.connection = 'lost';
    this.hearing.broken?.();
    // Whoever heard of it may have closed it.
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, longestWait);
  }

  get #isClosed(): boolean {
    return this.connection === 'closed';
  }

  close(): void {
    this.connection = 'closed';
    clearTimeout(this.#timer);
    this.#source?.close();
  }
}
