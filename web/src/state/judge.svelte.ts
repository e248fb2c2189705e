/** What the strong engine makes of a position, for the bar beside a game: one source, and a position is searched once. */
import * as api from '../api/client';
import { standing } from '../notation/position';
import { scoreOf, type Score } from '../notation/score';
import { again } from './engine.svelte';

/** Nodes of a search: by nodes, the same position gets the same score. */
const nodes = 50_000;
const patience = 150;

export class Judge {
  #known = $state.raw(new Map<string, Score>());
  #fen = $state('');
  #stop: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The score of the position looked at; nothing until it is known. */
  get score(): Score | undefined {
    return this.#known.get(this.#fen);
  }

  look(fen: string): void {
    if (fen === this.#fen) return;
    this.close();
    this.#fen = fen;
    if (this.#known.has(fen)) return;
    const { over, winner } = standing(fen);
    if (over) this.#learn(fen, winner ? { mate: winner === 'white' ? 0.5 : -0.5 } : { cp: 0 });
    else this.#timer = setTimeout(() => this.#ask(fen), patience);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stop?.();
    this.#stop = undefined;
    this.#fen = '';
  }

  #ask(fen: string): void {
    let last: Score | undefined;
    this.#stop = api.lines(
      fen,
      { agent: 'engine(threads=1,hash=16)', nodes: String(nodes) },
      {
        line: (line) => (last = scoreOf(line)),
        end: (_problem, temporary) => {
          // A server that is away or full is asked again.
          if (temporary) this.#timer = setTimeout(() => this.#ask(fen), again);
          else if (last) this.#learn(fen, last);
        },
      },
    );
  }

  #learn(fen: string, score: Score): void {
    this.#known = new Map(this.#known).set(fen, score);
  }
}
