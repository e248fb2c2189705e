//! Random numbers for hashing positions, made when the program is compiled.
//!
//! The engine's keys are its own: nothing outside compares them with shakmaty's or Polyglot's, so they need only
//! be random, and constants cost nothing to look up.

use shakmaty::{Bitboard, Color, File, Square};

use super::piece::PIECES;

/// One number per piece and square.
pub static PIECE_KEYS: [[u64; 64]; PIECES] = piece_keys();
pub const WHITE_TO_MOVE: u64 = number(1_000);

const CASTLING: [u64; 4] = [number(1_001), number(1_002), number(1_003), number(1_004)];
const EN_PASSANT: u64 = 1_100;

/// A well-mixed 64-bit number for an index (splitmix64).
const fn number(index: u64) -> u64 {
    let mut z = index.wrapping_add(0x7ab1_a000).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn piece_keys() -> [[u64; 64]; PIECES] {
    let mut keys = [[0; 64]; PIECES];
    let mut index = 0;
    while index < PIECES * 64 {
        keys[index / 64][index % 64] = number(index as u64);
        index += 1;
    }
    keys
}

/// For a right to castle: the colour, and the side by where the rook stands from the king.
#[inline]
pub fn castling_right(color: Color, king_side: bool) -> u64 {
    CASTLING[usize::from(color == Color::Black) * 2 + usize::from(king_side)]
}

/// For all rights of one colour, given its king and its rooks that may castle.
#[inline]
pub fn castling_rights(color: Color, king: Square, rooks: Bitboard) -> u64 {
    rooks.into_iter().fold(0, |key, rook| key ^ castling_right(color, rook > king))
}

/// For a pawn that may be captured en passant on this file.
#[inline]
pub fn en_passant(file: File) -> u64 {
    number(EN_PASSANT + u64::from(u32::from(file)))
}
