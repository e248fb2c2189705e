/** How well a side played: what share of the winning chances its moves kept. */
import type { Color } from '@lichess-org/chessground/types';
import { share, type Score } from './score';

/** A score counts as no more than this many centipawns in an average loss: a lost mate is not a hundred pawns. */
const cap = 1000;

const centipawns = (score: Score): number => {
  if (score.mate !== undefined && score.mate !== null) return score.mate > 0 ? cap : -cap;
  return Math.min(Math.max(score.cp ?? 0, -cap), cap);
};

const forMover = (value: number, mover: Color): number => (mover === 'white' ? value : -value);

/** A move's accuracy in percent, from the winning chances before and after it (lichess's formula). */
export function moveAccuracy(before: Score, after: Score, mover: Color): number {
  const lost = Math.max(0, forMover(share(before) - share(after), mover) * 100);
  return Math.min(100, Math.max(0, 103.1668 * Math.exp(-0.04354 * lost) - 3.1669));
}

export interface Played {
  /** The mean accuracy of the moves, in percent. */
  accuracy: number;
  /** The mean loss of a move, in centipawns. */
  loss: number;
  moves: number;
}

/** A side's play over the moves whose positions before and after have a score; nothing where there is none. */
export function played(
  moves: { before: Score | undefined; after: Score | undefined; mover: Color }[],
  side: Color,
): Played | undefined {
  const own = moves.flatMap(({ before, after, mover }) =>
    mover === side && before && after ? [{ before, after }] : [],
  );
  if (own.length === 0) return undefined;
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    accuracy: mean(own.map(({ before, after }) => moveAccuracy(before, after, side))),
    loss: mean(
      own.map(({ before, after }) => Math.max(0, forMover(centipawns(before) - centipawns(after), side))),
    ),
    moves: own.length,
  };
}
