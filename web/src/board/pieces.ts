/** Pieces of a FEN by square, and their names; reading only, no rules. */
import type { Color, Piece, Role } from '@lichess-org/chessground/types';
import { files } from './squares';
import { m } from '../text/catalogue.svelte';

const roles: Record<string, Role> = {
  p: 'pawn',
  n: 'knight',
  b: 'bishop',
  r: 'rook',
  q: 'queen',
  k: 'king',
};

export function pieces(fen: string): Map<string, Piece> {
  const found = new Map<string, Piece>();
  const rows = (fen.split(' ')[0] ?? '').split('/');
  rows.forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) {
        file += Number(letter);
        continue;
      }
      const role = roles[letter.toLowerCase()];
      const name = files[file];
      if (role && name)
        found.set(`${name}${8 - index}`, {
          role,
          color: letter === letter.toLowerCase() ? 'black' : 'white',
        });
      file += 1;
    }
  });
  return found;
}

export function turnOf(fen: string): Color {
  return fen.split(' ')[1] === 'b' ? 'black' : 'white';
}

export function other(color: Color): Color {
  return color === 'white' ? 'black' : 'white';
}

/** "white knight", or "empty". */
export function spoken(piece: Piece | undefined): string {
  return piece ? m.piece.spoken(m.piece.color[piece.color], m.piece.role[piece.role]) : m.piece.empty;
}
