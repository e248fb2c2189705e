/** What each piece does to the square pointed at: requested from the server, a little after the pointer rests. */
import * as api from '../api/client';

/** How long the pointer rests first, in milliseconds. */
const patience = 80;

export class SquareShares {
  answer = $state.raw<api.SquareShares>();
  #request: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  look(fen: string, evaluation: string, square: string | undefined): void {
    this.close();
    this.answer = undefined;
    if (!square) return;
    const request = new AbortController();
    this.#request = request;
    this.#timer = setTimeout(() => {
      api.shares(fen, evaluation, square, request.signal).then(
        (answer) => (this.answer = answer),
        // A square without an answer shows its number alone.
        () => undefined,
      );
    }, patience);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#request?.abort();
  }
}
