/** An evaluation of the position looked at: asked for whenever position or evaluation change, the latest answer kept. */
import * as api from '../api/client';

/** Quick steps through a game ask once, at the end, in milliseconds. */
const patience = 60;

export class Explainer {
  evaluation = $state('axiomx');
  answer = $state.raw<api.Explanation>();
  problem = $state('');
  #fen = '';
  #asked: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(evaluation: string) {
    this.evaluation = evaluation;
  }

  choose(evaluation: string): void {
    this.evaluation = evaluation;
    this.#ask();
  }

  look(fen: string): void {
    if (fen === this.#fen) return;
    this.#fen = fen;
    this.#ask();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#asked?.abort();
  }

  #ask(): void {
    this.close();
    const asked = new AbortController();
    this.#asked = asked;
    this.#timer = setTimeout(() => {
      api.explain(this.#fen, this.evaluation, asked.signal).then(
        (answer) => {
          this.answer = answer;
          this.problem = '';
        },
        (error: unknown) => {
          if (!asked.signal.aborted) this.problem = error instanceof Error ? error.message : String(error);
        },
      );
    }, patience);
  }
}
