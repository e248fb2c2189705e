//! Game stages as shares in 64ths, computed from the remaining pieces.
//!
//! Pawns do not count: an endgame is defined by its missing pieces.

pub const FULL: i32 = 64;

/// Above this much opposing material the king is only a target (seed 002 §III.B: "+12.00 to +15.00").
pub const KING_MIDDLEGAME: i32 = 1500;

/// Below this much opposing material the king is an active piece.
pub const KING_ENDGAME: i32 = 1200;

/// All pieces of both sides at the start of a game.
pub const ALL_PIECES: i32 = 2 * 3100;

/// Remaining pieces of both sides at which the opening is over, whatever is undeveloped: the queens, a pair of rooks
/// and a minor piece are gone.
const OPENING_OVER: i32 = 3000;

/// How far `value` lies between `zero` and `full`, in 64ths.
pub const fn between(value: i32, zero: i32, full: i32) -> i32 {
    let share = (value - zero) * FULL / (full - zero);
    if share < 0 {
        0
    } else if share > FULL {
        FULL
    } else {
        share
    }
}

/// How much a king is a target, by the opponent's pieces in centipawns: full from 1500 on, zero up to 1200.
pub const fn danger(opposing_pieces: i32) -> i32 {
    between(opposing_pieces, KING_ENDGAME, KING_MIDDLEGAME)
}

/// How near a pawn ending is, by the opponent's pieces: full without any, zero from 1200 on.
pub const fn pawn_ending(opposing_pieces: i32) -> i32 {
    between(-opposing_pieces, -KING_ENDGAME, 0)
}

/// How much of the opening is left, by the pieces of both sides.
pub const fn opening(all_pieces: i32) -> i32 {
    between(all_pieces, OPENING_OVER, ALL_PIECES)
}

/// The share of both sides' pieces that is gone.
pub const fn gone(all_pieces: i32) -> i32 {
    between(-all_pieces, -ALL_PIECES, 0)
}
