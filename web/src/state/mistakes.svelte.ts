/** Mistakes of games that were analysed, kept by the browser to be practised. */
import type { Exercise } from '../api/client';
import type { Language } from '../text/catalogue.svelte';

export interface Mistake extends Exercise {
  /** The game it is from, as people name it. */
  game: string;
  /** Of its hint and its reason; those kept from before it was noted are English. */
  language?: Language;
  /** How often it was solved without help in a row; one that was solved twice is learned. */
  solved: number;
}

const key = 'tabia.mistakes';
/** The oldest ones make room. */
const most = 500;
/** Solved so often in a row, an exercise is learned. */
export const learned = 2;

function load(): Mistake[] {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? '[]') as unknown;
    if (!Array.isArray(kept)) return [];
    return kept.filter(
      (one): one is Mistake =>
        typeof one?.fen === 'string' && Array.isArray(one.accepted) && !!one.accepted[0],
    );
  } catch {
    return [];
  }
}

class Mistakes {
  list = $state.raw<Mistake[]>(load());

  /** Those that are not learned yet: the ones solved least first, in the order of their games. */
  get open(): Mistake[] {
    return this.list.filter(({ solved }) => solved < learned).sort((one, two) => one.solved - two.solved);
  }

  find(fen: string): Mistake | undefined {
    return this.list.find((one) => one.fen === fen);
  }

  /** A position is one exercise, however often it came up. */
  add(exercise: Exercise & { language?: Language }, game: string): void {
    const known = this.find(exercise.fen);
    const rest = this.list.filter((one) => one !== known);
    this.#keep([...rest, { ...exercise, game, solved: known?.solved ?? 0 }].slice(-most));
  }

  /** It was solved without help, or not. */
  answered(fen: string, alone: boolean): void {
    this.#keep(
      this.list.map((one) => (one.fen === fen ? { ...one, solved: alone ? one.solved + 1 : 0 } : one)),
    );
  }

  forget(fen: string): void {
    this.#keep(this.list.filter((one) => one.fen !== fen));
  }

  #keep(list: Mistake[]): void {
    this.list = list;
    try {
      localStorage.setItem(key, JSON.stringify(list));
    } catch {
      // Without room they last as long as the page.
    }
  }
}

export const mistakes = new Mistakes();
