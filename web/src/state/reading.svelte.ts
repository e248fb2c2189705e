/** The engine reading a position: its lines as they come, and an arrow for the first move of each. */
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import * as api from '../api/client';

export class Reading {
  on = $state(false);
  count = $state(3);
  lines = $state.raw<api.Line[]>([]);
  problem = $state('');
  /** The line pointed at. */
  pointed = $state<number>();
  #fen = '';
  #stop: (() => void) | undefined;

  /** The best in the theme's accent, the others thinner. */
  shapes = $derived<DrawShape[]>(
    this.lines
      .filter((line) => this.on && (this.pointed === undefined || line.rank === this.pointed))
      .flatMap((line) => {
        const move = line.pv_uci[0];
        if (!move) return [];
        const best = line.rank === 1;
        return [
          {
            orig: move.slice(0, 2) as Key,
            dest: move.slice(2, 4) as Key,
            brush: best ? 'best' : 'other',
            modifiers: { lineWidth: best ? 10 : 6 },
          },
        ];
      }),
  );

  toggle(): void {
    this.on = !this.on;
    this.#begin();
  }

  show(count: number): void {
    this.count = count;
    this.#begin();
  }

  look(fen: string): void {
    this.#fen = fen;
    this.#begin();
  }

  close(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #begin(): void {
    this.close();
    this.lines = [];
    this.problem = '';
    if (!this.on) return;
    this.#stop = api.lines(
      this.#fen,
      { multipv: String(this.count) },
      { line: (line) => this.#take(line), end: (problem) => (this.problem = problem ?? '') },
    );
  }

  #take(line: api.Line): void {
    const others = this.lines.filter((known) => known.rank !== line.rank);
    this.lines = [...others, line].sort((a, b) => a.rank - b.rank).slice(0, this.count);
  }
}
