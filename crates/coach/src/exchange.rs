//! Static exchanges: what a capture gains, and whether a position is quiet.
//!
//! Only material is counted, in pawns ([`board::value`]). [`swap`] is the static exchange evaluation on one square;
//! [`gain`] plays captures out with the rules of chess, so that pins, checks and mates count.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role, Square};

use crate::board::{self, value};

/// Maximum length of a capture sequence.
const DEPTH: u32 = 12;
/// Cost of being mated within the exchange.
const MATED: i32 = 100;

/// What the piece on `from` gains by taking on `to`, both sides recapturing with their least piece as long as it pays
/// (static exchange evaluation).
pub fn swap(board: &Board, from: Square, to: Square) -> i32 {
    let (Some(mover), Some(target)) = (board.piece_at(from), board.piece_at(to)) else { return 0 };
    let mut occupied = board.occupied();
    occupied.discard(from);
    value(target.role) - recapture(board, mover.color.other(), to, mover.role, occupied)
}

/// As [`swap`] for a legal capture, with legal recaptures only: a pinned piece does not take.
pub fn legal_swap(position: &Chess, capture: Move) -> i32 {
    let taken = capture.capture().map_or(0, value);
    let mut after = position.clone();
    after.play_unchecked(capture);
    let least = after
        .legal_moves()
        .into_iter()
        .filter(|m| m.is_capture() && m.to() == capture.to())
        .min_by_key(|m| value(m.role()));
    taken - least.map_or(0, |recapture| legal_swap(&after, recapture).max(0))
}

/// What `side` gains by taking the piece `standing` on a square; nothing where taking does not pay.
fn recapture(board: &Board, side: Color, on: Square, standing: Role, occupied: Bitboard) -> i32 {
    let attackers = board.attacks_to(on, side, occupied) & occupied;
    let least = attackers
        .into_iter()
        .filter_map(|square| Some((square, board.role_at(square)?)))
        .min_by_key(|(_, role)| value(*role));
    let Some((from, role)) = least else { return 0 };
    let mut occupied = occupied;
    occupied.discard(from);
    // A king may not take what is defended.
    if role == Role::King && (board.attacks_to(on, side.other(), occupied) & occupied).any() {
        return 0;
    }
    (value(standing) - recapture(board, side.other(), on, role, occupied)).max(0)
}

/// The material that the side to move wins by captures and promotions, with best play by both; nothing where it had
/// better not take.
pub fn gain(position: &Chess) -> i32 {
    let before = board::balance(position.board(), position.turn());
    search(position, -MATED, MATED, DEPTH) - before
}

/// The material balance of the side to move when captures are over (a quiescence search on material alone).
fn search(position: &Chess, alpha: i32, beta: i32, depth: u32) -> i32 {
    let stand_pat = board::balance(position.board(), position.turn());
    let legal = position.legal_moves();
    let check = position.is_check();
    if legal.is_empty() {
        return if check { -MATED } else { 0 };
    }
    if depth == 0 {
        return stand_pat;
    }
    let mut best = if check { -MATED } else { stand_pat };
    let mut alpha = alpha.max(best);
    if alpha >= beta {
        return best;
    }
    let mut moves: Vec<Move> =
        legal.into_iter().filter(|m| check || m.is_capture() || m.promotion() == Some(Role::Queen)).collect();
    moves.sort_by_key(|m| (-m.capture().map_or(0, value), value(m.role())));
    for m in moves {
        let mut next = position.clone();
        next.play_unchecked(m);
        let value = -search(&next, -beta, -alpha, depth - 1);
        best = best.max(value);
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// Whether nothing is about to be taken: the side to move is not in check and no capture or promotion gains material.
pub fn is_quiet(position: &Chess) -> bool {
    !position.is_check() && gain(position) <= 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::ChessGame;

    fn position(fen: &str) -> Chess {
        ChessGame::from_fen(fen).unwrap().position().clone()
    }

    #[test]
    fn exchanges_on_a_square_are_counted_out() {
        // Rook takes a pawn that a pawn defends; with a second rook behind it is still bad.
        let defended = position("6k1/8/2p5/3p4/8/8/3R4/3R2K1 w - - 0 1");
        assert_eq!(swap(defended.board(), Square::D2, Square::D5), 1 - 5 + 1);
        let hanging = position("6k1/8/8/3n4/8/8/3R4/6K1 w - - 0 1");
        assert_eq!(swap(hanging.board(), Square::D2, Square::D5), 3);
        assert_eq!((gain(&defended), gain(&hanging)), (0, 3));
    }

    #[test]
    fn a_pinned_defender_does_not_recapture() {
        let pinned = position("3rk3/8/8/1b6/8/3N4/4P3/3RK3 b - - 0 1");
        // Both sides count on d3: bishop and rook against pawn and rook.
        assert!(!is_quiet(&position("3rk3/8/8/8/8/3N4/8/4K3 b - - 0 1")));
        assert!(is_quiet(&pinned));
    }
}
