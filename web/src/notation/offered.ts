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

/**
 * The other way to castle with the same king: on to its rook where the server lets it go to its place, and to its place
 * where the server lets it take its rook. None where a king's plain move ends there, or the way is not open.
 */
function otherCastling(fen: string, from: string, to: string): string | undefined {
  const standing = pieces(fen);
  const king = standing.get(from);
  if (king?.role !== 'king') return undefined;
  const rank = from[1] ?? '';
  const isOwnRook = (square: string) =>
    standing.get(square)?.role === 'rook' && standing.get(square)?.color === king.color;
  const short = to > from;
  if (isOwnRook(to)) return `${short ? 'g' : 'c'}${rank}`;
  const steps = Math.abs(to.charCodeAt(0) - from.charCodeAt(0));
  const corner = `${short ? 'h' : 'a'}${rank}`;
  return steps === 2 && isOwnRook(corner) ? corner : undefined;
}

/** As chessground wants them: castling by the king's place and by its rook, whichever of them the server names. */
export function destinations(legal: Legal, fen: string): Map<Key, Key[]> {
  return new Map(
    Object.entries(legal).map(([from, squares]) => {
      const others = squares
        .map((to) => otherCastling(fen, from, to))
        .filter((to): to is string => to !== undefined && to !== from && !squares.includes(to));
      return [from as Key, [...squares, ...others] as Key[]];
    }),
  );
}

/** A move on the board as the server names it. */
export function meant(legal: Legal, fen: string, from: string, to: string): string {
  const squares = legal[from] ?? [];
  if (squares.includes(to)) return `${from}${to}`;
  return `${from}${squares.find((square) => otherCastling(fen, from, square) === to) ?? to}`;
}

/** The squares a move touches, for the eye. */
export function squaresOf(uci: string | undefined | null): Key[] | undefined {
  return uci ? [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key] : undefined;
}
