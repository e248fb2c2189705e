/** What can be read off the branches: what is where, what depends on what, and how it is said. Plain functions, exact weights. */
import type { Dests, Key, Piece, Role } from '@lichess-org/chessground/types';
import { pieces, spoken as spokenPiece } from '../board/pieces';
import type { Action, Branch, Squares } from './api';
import { m } from '../text/catalogue.svelte';

const roles: Record<string, Role> = {
  p: 'pawn',
  n: 'knight',
  b: 'bishop',
  r: 'rook',
  q: 'queen',
  k: 'king',
};

const letters: Record<Role, string> = {
  pawn: 'p',
  knight: 'n',
  bishop: 'b',
  rook: 'r',
  queen: 'q',
  king: 'k',
};

/** The piece of a FEN letter. */
export function pieceOf(letter: string): Piece {
  const role = roles[letter.toLowerCase()] ?? 'pawn';
  return { role, color: letter === letter.toLowerCase() ? 'black' : 'white' };
}

/** The letter of a piece, as FEN writes it. */
export function letterOf({ role, color }: Piece): string {
  const letter = letters[role];
  return color === 'white' ? letter.toUpperCase() : letter;
}

/** A probability for people, as the server says it: never 0% or 100% for what is neither impossible nor certain. */
export function percent(probability: number): string {
  const value = probability * 100;
  if (value <= 0 || value >= 100 || Math.abs(value - Math.round(value)) < 1e-9)
    return `${Math.round(value)}%`;
  if (value < 0.1) return '<0.1%';
  if (value > 99.9) return '>99.9%';
  return `${value.toFixed(1)}%`;
}

/** The same on a square, where there is room for two digits. */
export function short(probability: number): string {
  return probability < 0.01 ? '<1' : probability > 0.99 ? '99' : String(Math.round(probability * 100));
}

/** A classical board as squares with certain pieces. */
export function certain(board: string): Squares {
  const found: Squares = {};
  for (const [square, piece] of pieces(board)) found[square] = [{ piece: letterOf(piece), probability: 1 }];
  return found;
}

/** What may stand where in a position as it is written: a FEN, or boards with their weights. */
export function possible(position: string): Squares {
  const written = position.split(': ')[1];
  if (!written) return certain(position);
  const boards = written.split(' + ').map((branch) => {
    const [weight = '1', board = ''] = branch.split('*');
    return { weight: Number(weight), placed: pieces(board) };
  });
  const total = boards.reduce((sum, { weight }) => sum + weight, 0);
  const found: Squares = {};
  for (const { weight, placed } of boards) {
    for (const [square, piece] of placed) {
      const letter = letterOf(piece);
      const here = (found[square] ??= []);
      const known = here.find((marginal) => marginal.piece === letter);
      if (known) known.probability += weight / total;
      else here.push({ piece: letter, probability: weight / total });
    }
  }
  return found;
}

/** What may stand on a square, in words: `white knight 50%`, `empty`. */
export function spoken(squares: Squares, square: string): string {
  const found = squares[square] ?? [];
  if (found.length === 0) return m.piece.empty;
  return found
    .map(({ piece, probability }) => {
      const words = spokenPiece(pieceOf(piece));
      return probability >= 1 ? words : `${words} ${percent(probability)}`;
    })
    .join(m.quantum.or);
}

export interface Link {
  square: Key;
  piece: string;
  /** How likely it is there when the piece in question is where it may be, and when it is not. */
  ifPresent: number;
  ifAbsent: number;
}

/**
 * Everything whose likelihood depends on whether `piece` stands on `square`: P(both) ≠ P(one) · P(other), in whole numbers. Nothing
 * depends on what is certain.
 */
export function entangled(branches: Branch[], square: string, piece: string): Link[] {
  let total = 0n;
  let present = 0n;
  const all = new Map<string, bigint>();
  const both = new Map<string, bigint>();
  const add = (map: Map<string, bigint>, key: string, weight: bigint) =>
    map.set(key, (map.get(key) ?? 0n) + weight);
  for (const branch of branches) {
    const weight = BigInt(branch.weight);
    const placed = pieces(branch.board);
    const there = placed.get(square);
    const here = there !== undefined && letterOf(there) === piece;
    total += weight;
    if (here) present += weight;
    for (const [other, found] of placed) {
      if (other === square) continue;
      const key = other + letterOf(found);
      add(all, key, weight);
      if (here) add(both, key, weight);
    }
  }
  if (present === 0n || present === total) return [];
  const links: Link[] = [];
  for (const [key, weight] of all) {
    const together = both.get(key) ?? 0n;
    if (together * total === weight * present) continue;
    links.push({
      square: key.slice(0, 2) as Key,
      piece: key.slice(2),
      ifPresent: ratio(together, present),
      ifAbsent: ratio(weight - together, total - present),
    });
  }
  return links.sort((a, b) => (a.square < b.square ? -1 : a.square > b.square ? 1 : 0));
}

/** A quotient of whole numbers that may be too large to be numbers themselves. */
function ratio(part: bigint, whole: bigint): number {
  const digits = 1_000_000_000n;
  return Number((part * digits) / whole) / Number(digits);
}

/** What a move may come to, in words. */
export function odds(action: Action): string {
  const parts = [m.quantum.succeeds(percent(action.chance))];
  if (action.split) parts.push(m.quantum.both);
  else if (action.win > 0) parts.push(m.quantum.wins(percent(action.win)));
  else if (action.measured) parts.push(m.quantum.capturesWith(percent(action.capture)));
  else if (action.capture > 0) parts.push(m.quantum.captures);
  if (action.measured) parts.push(m.quantum.measured);
  return parts.join(', ');
}

/** Whether nothing about a move is open: then there is nothing to confirm. */
export function isPlain(action: Action): boolean {
  return !action.split && !action.measured && action.chance >= 1 && action.win === 0 && !action.promotion;
}

/** Where each piece may go, by moves that split or by those that do not. */
export function destinations(legal: Action[], split: boolean): Dests {
  const found: Dests = new Map();
  for (const action of legal) {
    if (action.split !== split) continue;
    const [from, to] = [action.from as Key, action.to as Key];
    const known = found.get(from) ?? [];
    if (!known.includes(to)) known.push(to);
    found.set(from, known);
  }
  return found;
}
