//! How much of a stage of the game a board is in: shares in 64ths, from the pieces that are left.
//!
//! Pawns do not count: an ending is one because its pieces are gone.

/// A whole share.
pub const FULL: i32 = 64;

/// Above this much opposing material a king is a target only (seed 002 §III.B: "+12.00 to +15.00").
pub const KING_MIDDLEGAME: i32 = 1500;

/// Below this much it is a piece like others.
pub const KING_ENDGAME: i32 = 1200;

/// All pieces of both sides at the start of a game.
pub const ALL_PIECES: i32 = 2 * 3100;

/// With so few pieces left, both sides together, the opening is over whatever stands at home: about the two
/// queens, a pair of rooks and a minor piece have gone.
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

/// How much a king is a target, by its opponent's pieces in centipawns: whole from 1500 on, zero up to 1200.
pub const fn danger(opposing_pieces: i32) -> i32 {
    between(opposing_pieces, KING_ENDGAME, KING_MIDDLEGAME)
}

/// How near a pawn ending is, by the opponent's pieces: whole when there is none, zero from 1200 on.
pub const fn pawn_ending(opposing_pieces: i32) -> i32 {
    between(-opposing_pieces, -KING_ENDGAME, 0)
}

/// How much of the opening is left, by the pieces of both sides.
pub const fn opening(all_pieces: i32) -> i32 {
    between(all_pieces, OPENING_OVER, ALL_PIECES)
}

/// How many of the pieces of both sides are gone.
pub const fn gone(all_pieces: i32) -> i32 {
    between(-all_pieces, -ALL_PIECES, 0)
}
