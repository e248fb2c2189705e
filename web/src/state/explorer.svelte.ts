/** What was played in the position looked at, in the games that the server was started with. */
import * as api from '../api/client';

/** Quick steps through a game ask once, at the end, in milliseconds. */
const patience = 120;
/** How often a collection that is being read is asked how far it is, and a server that is away whether it is back. */
const again = 1500;

export class Explorer {
  collection = $state.raw<api.Collection>();
  problem = $state('');
  #answer = $state.raw<api.Explored>();
  #answered = $state('');
  #fen = $state('');
  #asked: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #poll: ReturnType<typeof setTimeout> | undefined;

  /** What is known of the position looked at; nothing until it is. */
  get answer(): api.Explored | undefined {
    return this.#answered === this.#fen ? this.#answer : undefined;
  }

  look(fen: string): void {
    if (!this.collection) void this.#follow();
    if (fen === this.#fen) return;
    this.#fen = fen;
    this.#ask();
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#poll);
    this.#asked?.abort();
  }

  /** Asks for the collection until it is read. */
  async #follow(): Promise<void> {
    clearTimeout(this.#poll);
    try {
      const before = this.collection?.games;
      this.collection = await api.collection();
      // More games are known than when the position was looked at.
      if (before !== undefined && before !== this.collection.games) this.#ask();
      if (this.collection.state !== 'indexing') return;
    } catch (error) {
      if (!(error instanceof api.Unreachable)) return;
    }
    this.#poll = setTimeout(() => void this.#follow(), again);
  }

  #ask(): void {
    clearTimeout(this.#timer);
    this.#asked?.abort();
    const asked = new AbortController();
    this.#asked = asked;
    const fen = this.#fen;
    this.#timer = setTimeout(() => {
      api.explore(fen, asked.signal).then(
        (answer) => {
          this.problem = '';
          this.#answer = answer;
          this.#answered = fen;
        },
        (error: unknown) => {
          if (asked.signal.aborted) return;
          this.problem = error instanceof Error ? error.message : String(error);
          if (error instanceof api.Unreachable) this.#timer = setTimeout(() => this.#ask(), again);
        },
      );
    }, patience);
  }
}
