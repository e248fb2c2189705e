/** Positions as chessops knows them: what is wrong with a FEN, where pieces may go, whether the game is over. */
import { Chess } from 'chessops/chess';
import { chessgroundDests } from 'chessops/compat';
import { makeFen, parseFen } from 'chessops/fen';
import type { Color, Dests } from '@lichess-org/chessground/types';
import { m } from '../text/catalogue.svelte';

export function positionOf(fen: string): Chess | undefined {
  return parseFen(fen)
    .chain((setup) => Chess.fromSetup(setup))
    .unwrap(
      (position) => position,
      () => undefined,
    );
}

/** A FEN with what is missing at its end: the side to move, castling, en passant, the counters. */
export function completed(fen: string): string {
  const fields = fen.trim().split(/\s+/);
  return [...fields, ...['', 'w', '-', '-', '0', '1'].slice(fields.length)].join(' ');
}

/** Whether a text is meant to be a FEN: its first word has slashes and letters of pieces. */
export function looksLikeFen(text: string): boolean {
  const [first = '', ...rest] = text.trim().split(/\s+/);
  return first.split('/').length >= 4 && /^[\w/]+$/.test(first) && rest.length <= 6;
}

/** What is wrong with a FEN, in a sentence that says where and what would be right; nothing if it can be played. */
export function fenFault(fen: string): string | undefined {
  const [board = '', turn = 'w', castling = '-', passant = '-', half = '0', full = '1'] =
    completed(fen).split(' ');
  const fault = boardFault(board);
  if (fault) return fault;
  if (turn !== 'w' && turn !== 'b') return m.fault.turn(turn);
  if (!/^(-|[KQkqA-Ha-h]{1,4})$/.test(castling)) return m.fault.castling(castling);
  if (!/^(-|[a-h][36])$/.test(passant)) return m.fault.enPassant(passant);
  if (!/^\d{1,4}$/.test(half) || !/^\d{1,4}$/.test(full)) return m.fault.counters(`${half} ${full}`);
  return parseFen(completed(fen))
    .chain((setup) => Chess.fromSetup(setup))
    .unwrap(
      () => undefined,
      ({ message }) => {
        const known = m.fault.position as Record<string, string>;
        return known[message] ?? m.fault.other;
      },
    );
}

function boardFault(board: string): string | undefined {
  const rows = board.split('/');
  if (rows.length !== 8) return m.fault.ranks(rows.length);
  for (const [index, row] of rows.entries()) {
    const strange = /[^1-8pnbrqkPNBRQK]/.exec(row)?.[0];
    if (strange) return m.fault.letter(strange, 8 - index);
    const width = [...row].reduce((sum, sign) => sum + (/\d/.test(sign) ? Number(sign) : 1), 0);
    if (width !== 8) return m.fault.width(8 - index, width);
  }
  for (const [letter, color] of [
    ['K', 'white'],
    ['k', 'black'],
  ] as const) {
    const count = [...board].filter((sign) => sign === letter).length;
    if (count !== 1) return m.fault.kings(m.color[color], count);
  }
  return undefined;
}

/** The FEN as it is written in full; throws what is wrong with it. */
export function checkedFen(text: string): string {
  const fault = fenFault(text);
  const position = fault ? undefined : positionOf(completed(text));
  if (!position) throw new Error(m.fault.fen(text.trim().slice(0, 100), fault ?? m.fault.other));
  return makeFen(position.toSetup());
}

/** Where the pieces of the side to move may go. */
export function destsOf(fen: string): Dests {
  const position = positionOf(fen);
  return position ? (chessgroundDests(position) as Dests) : new Map();
}

export interface Standing {
  check: boolean;
  /** How the game is over, as far as the position alone tells. */
  over: 'checkmate' | 'stalemate' | 'material' | undefined;
  winner: Color | undefined;
}

export function standing(fen: string): Standing {
  const position = positionOf(fen);
  if (!position) return { check: false, over: undefined, winner: undefined };
  const over = position.isCheckmate()
    ? 'checkmate'
    : position.isStalemate()
      ? 'stalemate'
      : position.isInsufficientMaterial()
        ? 'material'
        : undefined;
  const winner = over === 'checkmate' ? (position.turn === 'white' ? 'black' : 'white') : undefined;
  return { check: position.isCheck(), over, winner };
}
