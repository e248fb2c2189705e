/**
 * Praise and blame. A move is judged by what it gives away of the winning chances, in the mover's view: half a pawn in an
 * even game weighs more than a pawn when all is decided.
 */
import type { Color } from '@lichess-org/chessground/types';
import { share, type Score } from './score';

/** Winning chances lost from which on a move is doubtful, a mistake, a blunder. */
const thresholds: [number, string][] = [
  [0.15, '??'],
  [0.1, '?'],
  [0.05, '?!'],
];

export function mark(before: Score | undefined, after: Score | undefined, mover: Color): string | undefined {
  if (!before || !after) return undefined;
  const lost = mover === 'white' ? share(before) - share(after) : share(after) - share(before);
  return thresholds.find(([least]) => lost >= least)?.[1];
}

/** What PGN's numbers mean. */
const nags: Record<number, string> = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!' };

export function markOfNags(numbers: number[] | undefined): string | undefined {
  return numbers?.map((number) => nags[number]).find(Boolean);
}

export interface Tally {
  dubious: number;
  mistakes: number;
  blunders: number;
}

export function tally(marks: (string | undefined)[]): Tally {
  const count = (mark: string) => marks.filter((candidate) => candidate === mark).length;
  return { dubious: count('?!'), mistakes: count('?'), blunders: count('??') };
}
