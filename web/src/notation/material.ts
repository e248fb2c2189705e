/** Who has more of what: read from a position, no rules. */
import type { Color, Role } from '@lichess-org/chessground/types';
import { pieces } from '../board/pieces';

const worth: Record<Role, number> = { queen: 9, rook: 5, bishop: 3, knight: 3, pawn: 1, king: 0 };
const order: Role[] = ['queen', 'rook', 'bishop', 'knight', 'pawn'];

export interface Surplus {
  /** What this side has more of than the other, most valuable first. */
  roles: Role[];
  /** By how many pawns it is ahead in all; zero when it is behind. */
  points: number;
}

export function surplus(fen: string, color: Color): Surplus {
  const balance = new Map<Role, number>();
  for (const piece of pieces(fen).values()) {
    balance.set(piece.role, (balance.get(piece.role) ?? 0) + (piece.color === color ? 1 : -1));
  }
  const roles = order.flatMap((role) => Array<Role>(Math.max(balance.get(role) ?? 0, 0)).fill(role));
  const points = [...balance].reduce((sum, [role, count]) => sum + worth[role] * count, 0);
  return { roles, points: Math.max(points, 0) };
}
