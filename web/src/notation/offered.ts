/** The server's legal squares as moves with names. */
import type { Key } from '@lichess-org/chessground/types';
import { pieces } from '../board/pieces';
import type { Offered } from './entry';
import { write } from './line';

/** From each square, where to: as the server tells it. */
export type Legal = Record<string, string[]>;

/** Whether a pawn reaches its last rank: then a piece must be chosen. */
export function promotes(fen: string, from: string, to: string): boolean {
  return pieces(fen).get(from)?.role === 'pawn' && (to.endsWith('8') || to.endsWith('1'));
}

export function offered(fen: string, legal: Legal): Offered[] {
  return Object.entries(legal).flatMap(([from, squares]) =>
    squares.flatMap((to) => {
      const letters = promotes(fen, from, to) ? ['q', 'r', 'b', 'n'] : [''];
      return letters.map((letter) => {
        const uci = `${from}${to}${letter}`;
        return { uci, san: write(fen, [uci])[0]?.san ?? uci };
      });
    }),
  );
}

/** As chessground wants them. */
export function destinations(legal: Legal): Map<Key, Key[]> {
  return new Map(Object.entries(legal).map(([from, squares]) => [from as Key, squares as Key[]]));
}

/** The squares a move touches, for the eye. */
export function squaresOf(uci: string | undefined | null): Key[] | undefined {
  return uci ? [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key] : undefined;
}
