/**
 * Moves as people write them. Which moves are legal is the server's word; here moves it has already accepted, or is
 * about to be asked about, are written down and shown.
 */
import { makeFen } from 'chessops/fen';
import { makeSanAndPlay } from 'chessops/san';
import { parseUci } from 'chessops/util';
import { positionOf } from './position';

export const startFen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** A move as it is written, and the position after it. */
export interface Written {
  uci: string;
  san: string;
  fen: string;
}

/** Writes a line of moves from a position; it ends before a move that cannot be played. */
export function write(fen: string, moves: string[]): Written[] {
  const position = positionOf(fen);
  const written: Written[] = [];
  if (!position) return written;
  for (const uci of moves) {
    const move = parseUci(uci);
    if (!move || !position.isLegal(move)) break;
    const san = makeSanAndPlay(position, move);
    written.push({ uci, san, fen: makeFen(position.toSetup()) });
  }
  return written;
}

/** Where a line of moves that were played ends, and the last of them. */
export function last(start: string | undefined, moves: string[]): { fen: string; uci: string | undefined } {
  const begin = start ?? startFen;
  const position = positionOf(begin);
  if (!position) return { fen: begin, uci: undefined };
  for (const uci of moves) {
    const move = parseUci(uci);
    if (move) position.play(move);
  }
  return { fen: makeFen(position.toSetup()), uci: moves.at(-1) };
}

/** "12. Nf3 d5 13. g3", from the number of the position's move. */
export function numbered(fen: string, moves: Written[]): string {
  const [, turn, , , , number] = fen.split(' ');
  let count = Number(number ?? '1');
  let white = turn !== 'b';
  return moves
    .map(({ san }, index) => {
      const prefix = white ? `${count}. ` : index === 0 ? `${count}… ` : '';
      if (!white) count += 1;
      white = !white;
      return prefix + san;
    })
    .join(' ');
}
