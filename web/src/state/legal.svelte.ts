/** The legal moves of a position that is no game's: the server's word, asked for whenever the position changes. */
import * as api from '../api/client';
import type { Legal } from '../notation/offered';

export class LegalMoves {
  squares = $state.raw<Legal>({});
  check = $state(false);
  /** How the game is over in it, in words. */
  outcome = $state('');
  problem = $state('');
  #asked: AbortController | undefined;

  look(fen: string): void {
    this.close();
    this.squares = {};
    this.check = false;
    this.outcome = '';
    this.problem = '';
    const asked = new AbortController();
    this.#asked = asked;
    api.position(fen, asked.signal).then(
      (position) => {
        this.squares = position.legal;
        this.check = position.check;
        this.outcome = position.outcome?.words ?? '';
      },
      (error: unknown) => {
        if (!asked.signal.aborted) this.problem = error instanceof Error ? error.message : String(error);
      },
    );
  }

  close(): void {
    this.#asked?.abort();
  }
}
