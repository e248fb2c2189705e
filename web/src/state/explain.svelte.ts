/** An evaluation of the position looked at: requested whenever position or evaluation change, shown for its own position only. */
import * as api from '../api/client';

/** Quick steps through a game ask once, at the end, in milliseconds. */
const patience = 60;
/** How long to wait for a server that is away, in milliseconds. */
const again = 1500;

export class Explainer {
  evaluation = $state('');
  problem = $state('');
  #answer = $state.raw<api.Explanation>();
  /** What `#answer` is the answer to. */
  #answered = $state('');
  #fen = $state('');
  #request: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(evaluation: string) {
    this.evaluation = evaluation;
  }

  /** What the evaluation makes of the position looked at; nothing until that is known. */
  get answer(): api.Explanation | undefined {
    return this.#answered === this.#question ? this.#answer : undefined;
  }

  get #question(): string {
    return `${this.evaluation} ${this.#fen}`;
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
    this.#request?.abort();
  }

  #ask(): void {
    this.close();
    const request = new AbortController();
    this.#request = request;
    this.problem = '';
    const question = this.#question;
    this.#timer = setTimeout(() => {
      api.explain(this.#fen, this.evaluation, request.signal).then(
        (answer) => {
          this.#answer = answer;
          this.#answered = question;
        },
        (error: unknown) => {
          if (request.signal.aborted) return;
          this.problem = error instanceof Error ? error.message : String(error);
          if (error instanceof api.Unreachable) this.#timer = setTimeout(() => this.#ask(), again);
        },
      );
    }, patience);
  }
}
