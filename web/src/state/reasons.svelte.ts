/** Why a move is good or bad: asked for once a move is looked at, shown for its own move only. */
import * as api from '../api/client';

/** Nodes of each of the two searches. */
const nodes = 150_000;
/** Quick steps through a game ask once, at the end, in milliseconds. */
const patience = 350;
/** How long to wait for a server that is away or full, in milliseconds. */
const again = 1500;

export class Reasons {
  problem = $state('');
  thinking = $state(false);
  #asked: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Asks about a move, or about the best one; `take` is called with the answer unless something else is asked first. */
  ask(fen: string, move: string | undefined, take: (review: api.Review) => void, wait = patience): void {
    this.close();
    const asked = new AbortController();
    this.#asked = asked;
    this.thinking = true;
    this.#timer = setTimeout(() => {
      api.review({ fen, ...(move ? { move } : {}), nodes }, asked.signal).then(
        (review) => {
          if (asked.signal.aborted) return;
          this.thinking = false;
          take(review);
        },
        (error: unknown) => {
          if (asked.signal.aborted) return;
          this.thinking = false;
          this.problem = error instanceof Error ? error.message : String(error);
          const busy = error instanceof api.Problem && (error.status === 503 || error.status === 429);
          if (busy || error instanceof api.Unreachable)
            this.#timer = setTimeout(() => this.ask(fen, move, take, 0), again);
        },
      );
    }, wait);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#asked?.abort();
    this.thinking = false;
    this.problem = '';
  }
}
