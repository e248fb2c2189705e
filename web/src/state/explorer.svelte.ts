/** What was played in the position looked at, in the games that the server was started with. */
import * as api from '../api/client';

/** Quick steps through a game ask once, at the end, in milliseconds. */
const patience = 120;
/** How often a collection that is being read is asked how far it is, and a server that is away whether it is back. */
const again = 1500;

/** The filter outlives the page it was chosen on, not a reload: nobody looks for games with one that they forgot. */
let kept: api.ExplorerFilter = {};

export class Explorer {
  /** Which games count. */
  filter = $state.raw<api.ExplorerFilter>(kept);
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
    return this.#answered === this.#question ? this.#answer : undefined;
  }

  get #question(): string {
    return JSON.stringify([this.#fen, this.filter]);
  }

  /** Whether not all games count. */
  get filtered(): boolean {
    return Object.values(this.filter).some((value) => value !== '');
  }

  /** Lets other games count. */
  choose(filter: api.ExplorerFilter): void {
    // A colour is a player's.
    this.filter = filter.player ? filter : { ...filter, color: '' };
    kept = this.filter;
    this.#ask();
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
    const [fen, question] = [this.#fen, this.#question];
    this.#timer = setTimeout(() => {
      api.explore(fen, this.filter, asked.signal).then(
        (answer) => {
          this.problem = '';
          this.#answer = answer;
          this.#answered = question;
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
