/**
 * Praise and blame. A move is judged by what it gives away of the winning chances, in the mover's view: half a pawn in an
 * even game weighs more than a pawn when all is decided.
 */
import type { Color } from '@lichess-org/chessground/types';
import { share, type Score } from './score';

/** Winning chances lost from which on a move is an inaccuracy, a mistake, a blunder. */
const thresholds: [number, string][] = [
  [0.15, '??'],
  [0.1, '?'],
  [0.05, '?!'],
];
/** The only good move: the next best would have given away as much as a mistake does. */
const onlyMove = 0.1;

const forMover = (score: Score, mover: Color): number =>
  mover === 'white' ? share(score) : 1 - share(score);

export function mark(before: Score | undefined, after: Score | undefined, mover: Color): string | undefined {
  if (!before || !after) return undefined;
  const lost = forMover(before, mover) - forMover(after, mover);
  return thresholds.find(([least]) => lost >= least)?.[1];
}

/** Whether the best move was the only good one; where everything is won or lost, no move is. */
export function isOnlyMove(best: Score | undefined, second: Score | undefined, mover: Color): boolean {
  if (!best || !second) return false;
  const chances = forMover(best, mover);
  return chances < 0.97 && chances > 0.2 && chances - forMover(second, mover) >= onlyMove;
}

/** What PGN's numbers mean. */
export const glyphs: Record<number, string> = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!' };

/** The numbers of a judgement. */
export function nagOf(mark: string): number | undefined {
  const found = Object.entries(glyphs).find(([, glyph]) => glyph === mark)?.[0];
  return found === undefined ? undefined : Number(found);
}

/** Other glyphs that are often written after a move. */
const positions: Record<number, string> = {
  7: '□',
  10: '=',
  13: '∞',
  14: '⩲',
  15: '⩱',
  16: '±',
  17: '∓',
  18: '+−',
  19: '−+',
  22: '⨀',
  23: '⨀',
  36: '↑',
  37: '↑',
  40: '→',
  41: '→',
  132: '⇆',
  133: '⇆',
  138: '⊕',
  139: '⊕',
  140: '∆',
  146: 'N',
};

export function markOfNags(numbers: number[] | undefined): string | undefined {
  return numbers?.map((number) => glyphs[number]).find(Boolean);
}

/** All glyphs of a move that is not about its quality; unknown ones by their number. */
export function otherGlyphs(numbers: number[]): string {
  return numbers
    .filter((number) => !glyphs[number])
    .map((number) => positions[number] ?? `$${number}`)
    .join(' ');
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
