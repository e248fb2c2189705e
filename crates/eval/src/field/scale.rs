//! How much of an endgame advantage is likely to be turned into a win.
//!
//! Pawns win endgames: without them, or with bishops of opposite colours, an advantage is worth less than its sum.

use shakmaty::{Bitboard, Board, Color};

/// An advantage that counts in full.
pub const FULL: i32 = 64;
/// What a side without pawns keeps of a lead of a minor piece or less: next to nothing without a rook's worth, and
/// little with it.
const PAWNLESS: i32 = 4;
const PAWNLESS_WITH_ROOK: i32 = 14;
/// Bishops of opposite colours, alone with pawns; and with other pieces.
const OPPOSITE_BISHOPS: i32 = 30;
const OPPOSITE_BISHOPS_AND_PIECES: i32 = 48;
/// What is kept without a pawn, and more for each.
const NO_PAWN: i32 = 36;
const EACH_PAWN: i32 = 7;

/// Rough worth, in pawns, to see who leads by what.
const MINOR: usize = 3;
const ROOK: usize = 5;
const QUEEN: usize = 9;

fn pieces(board: &Board, color: Color) -> usize {
    let of = |squares: Bitboard| (squares & board.by_color(color)).count();
    MINOR * of(board.knights() | board.bishops()) + ROOK * of(board.rooks()) + QUEEN * of(board.queens())
}

/// The share, of [`FULL`], that `ahead` keeps of its endgame advantage.
#[inline]
pub fn of(board: &Board, ahead: Color) -> i32 {
    let pawns = (board.pawns() & board.by_color(ahead)).count() as i32;
    let bishops = board.bishops();
    let (white, black) = (bishops & board.white(), bishops & board.black());
    let single = white.any() && black.any() && !white.more_than_one() && !black.more_than_one();
    if single && (bishops & Bitboard::LIGHT_SQUARES).count() == 1 {
        let others = board.knights() | board.rooks_and_queens();
        return if others.is_empty() { OPPOSITE_BISHOPS } else { OPPOSITE_BISHOPS_AND_PIECES };
    }
    if pawns == 0 {
        let (own, enemy) = (pieces(board, ahead), pieces(board, !ahead));
        if own <= enemy + MINOR {
            return if own < ROOK { PAWNLESS } else { PAWNLESS_WITH_ROOK };
        }
    }
    (NO_PAWN + EACH_PAWN * pawns).min(FULL)
}
