//! Endgame scale factors: how much of an advantage is likely to be converted into a win.
//!
//! Pawns win endgames. Without pawns, or with bishops of opposite colours, an advantage is worth less than its sum.

use shakmaty::{Bitboard, Board, Color};

/// Scale of an advantage that counts in full.
pub const FULL: i32 = 64;
/// Scale of a side without pawns that is ahead by a minor piece or less: without a rook's worth of material, and with
/// it.
const PAWNLESS: i32 = 4;
const PAWNLESS_WITH_ROOK: i32 = 14;
/// Opposite-coloured bishops, alone with pawns; and with other pieces.
const OPPOSITE_BISHOPS: i32 = 30;
const OPPOSITE_BISHOPS_AND_PIECES: i32 = 48;
/// Scale without pawns, and the increase per pawn.
const NO_PAWN: i32 = 36;
const EACH_PAWN: i32 = 7;

/// Rough piece values in pawns, to see how far a side is ahead.
const MINOR: usize = 3;
const ROOK: usize = 5;
const QUEEN: usize = 9;

fn pieces(board: &Board, color: Color) -> usize {
    let of = |squares: Bitboard| (squares & board.by_color(color)).count();
    MINOR * of(board.knights() | board.bishops()) + ROOK * of(board.rooks()) + QUEEN * of(board.queens())
}

/// The scale, out of [`FULL`], of `ahead`'s endgame advantage.
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
