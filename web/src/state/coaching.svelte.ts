/** The coach beside an analysis: why the move looked at is good or bad, and what would be best in its place. */
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import type { Review } from '../api/client';
import type { Analysis } from './analysis.svelte';
import { Reasons } from './reasons.svelte';

export class Coaching {
  readonly reasons = new Reasons();
  /** What the coach says of the best move in a position, once it was asked. */
  #bestHere = $state.raw<{ fen: string; review: Review }>();
  #askedBest = $state('');

  constructor(private readonly work: Analysis) {}

  /** Whether what is shown is about the best move here, not about the one that was made. */
  get isBest(): boolean {
    return this.#askedBest === this.work.tree.fen;
  }

  get review(): Review | undefined {
    const { tree } = this.work;
    if (!this.isBest) return tree.current.review;
    return this.#bestHere?.fen === tree.fen ? this.#bestHere.review : undefined;
  }

  /** What the text speaks of, on the board. */
  get shapes(): DrawShape[] | undefined {
    const { review } = this;
    if (!review) return undefined;
    return [
      ...review.arrows.map(({ from, to, color }) => ({ orig: from as Key, dest: to as Key, brush: color })),
      ...review.squares.map((square) => ({ orig: square as Key, brush: 'yellow' })),
    ];
  }

  /** Another move is looked at: what was asked about the one before is dropped. */
  reset(): void {
    this.#askedBest = '';
    this.reasons.close();
  }

  explain(wait?: number): void {
    this.#askedBest = '';
    const node = this.work.tree.current;
    if (!node.parent || node.review) return;
    this.reasons.ask(node.parent.fen, node.uci, (found) => this.work.explained(node, found), wait);
  }

  explainBest(): void {
    const position = this.work.tree.fen;
    this.#askedBest = position;
    if (this.#bestHere?.fen === position) return;
    const take = (review: Review) => (this.#bestHere = { fen: position, review });
    this.reasons.ask(position, undefined, take, 0);
  }

  close(): void {
    this.reasons.close();
  }
}
