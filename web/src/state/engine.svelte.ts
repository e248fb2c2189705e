/** The engine thinking about the position looked at: its lines as they come, and an arrow for the first move of each. */
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import * as api from '../api/client';
import { standing } from '../notation/position';
import { scoreOf, type Score } from '../notation/score';

/** Quick steps through a game begin one search, at the end, in milliseconds. */
const patience = 80;
/** The first search leaves the processor to the browser until the page is drawn and can be used, in milliseconds. */
const firstPatience = 500;
/** How long to wait before asking again where the server is busy or away, in milliseconds. */
export const again = 1500;

interface Preferences {
  on: boolean;
  lines: number;
  threads: number;
  /** Megabytes of the transposition table. */
  hash: number;
  /** Plies to stop at; 0 is as long as the server lets it. */
  depth: number;
}

const key = 'tabia.engine';
const defaults: Preferences = { on: true, lines: 3, threads: 1, hash: 64, depth: 22 };
export const choices = {
  lines: [1, 2, 3, 4, 5],
  threads: [1, 2, 4, 8],
  hash: [16, 64, 256],
  depth: [14, 18, 22, 26, 30, 0],
};

function load(): Preferences {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Preferences>;
    const number = (name: 'lines' | 'threads' | 'hash' | 'depth'): number =>
      choices[name].includes(stored[name] as number) ? (stored[name] as number) : defaults[name];
    return {
      on: stored.on ?? defaults.on,
      lines: number('lines'),
      threads: number('threads'),
      hash: number('hash'),
      depth: number('depth'),
    };
  } catch {
    return { ...defaults };
  }
}

export class Engine {
  preferences = $state<Preferences>(load());
  lines = $state.raw<api.Line[]>([]);
  /** The position that `lines` belong to. */
  fen = $state('');
  problem = $state('');
  thinking = $state(false);
  #paused = false;
  #looked = false;
  #stop: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The engine's score of the position, if it has one. */
  get score(): Score | undefined {
    return this.preferences.on && this.lines[0] ? scoreOf(this.lines[0]) : undefined;
  }

  /** The best line in its own colour, the others thinner. */
  shapes = $derived<DrawShape[]>(
    this.lines.flatMap((line) => {
      const move = line.pv_uci[0];
      if (!move || !this.preferences.on) return [];
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

  prefer<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
    this.preferences[name] = value;
    try {
      localStorage.setItem(key, JSON.stringify(this.preferences));
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    this.#begin();
  }

  /** Looks at a position; while something else needs the processor, it waits. */
  look(fen: string, paused = false): void {
    if (fen === this.fen && paused === this.#paused) return;
    this.fen = fen;
    this.#paused = paused;
    this.#begin(this.#looked ? patience : firstPatience);
    this.#looked = true;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stop?.();
    this.#stop = undefined;
    this.thinking = false;
  }

  #begin(wait = patience): void {
    this.close();
    this.lines = [];
    this.problem = '';
    if (!this.preferences.on || this.#paused || standing(this.fen).over) return;
    this.thinking = true;
    this.#timer = setTimeout(() => this.#ask(), wait);
  }

  #ask(): void {
    const { lines, threads, hash, depth } = this.preferences;
    this.#stop = api.lines(
      this.fen,
      {
        agent: `engine(threads=${threads},hash=${hash})`,
        multipv: String(lines),
        ...(depth > 0 ? { depth: String(depth) } : {}),
      },
      {
        line: (line) => this.#take(line),
        end: (problem, temporary) => {
          this.thinking = false;
          this.problem = problem ?? '';
          // A server that is away or full is asked again.
          if (temporary) this.#timer = setTimeout(() => this.#begin(), again);
        },
      },
    );
  }

  #take(line: api.Line): void {
    const others = this.lines.filter((known) => known.rank !== line.rank);
    this.lines = [...others, line].sort((a, b) => a.rank - b.rank).slice(0, this.preferences.lines);
  }
}
