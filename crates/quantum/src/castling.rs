//! Castling rights of one branch, as four bits.

use std::fmt;

use shakmaty::{
    CastlingSide, Color, Piece, Role, Square,
    zobrist::{Zobrist64, ZobristValue},
};

/// The rights in FEN order.
const RIGHTS: [(Color, CastlingSide); 4] = [
    (Color::White, CastlingSide::KingSide),
    (Color::White, CastlingSide::QueenSide),
    (Color::Black, CastlingSide::KingSide),
    (Color::Black, CastlingSide::QueenSide),
];

#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Castling(u8);

impl Castling {
    pub const NONE: Castling = Castling(0);
    pub const ALL: Castling = Castling(0b1111);

    const fn bit(color: Color, side: CastlingSide) -> u8 {
        let white = matches!(color, Color::White);
        let king_side = matches!(side, CastlingSide::KingSide);
        1 << (!white as u8 * 2 + !king_side as u8)
    }

    pub const fn has(self, color: Color, side: CastlingSide) -> bool {
        self.0 & Castling::bit(color, side) != 0
    }

    /// The same rights and one more.
    #[must_use]
    pub const fn with(self, color: Color, side: CastlingSide) -> Castling {
        Castling(self.0 | Castling::bit(color, side))
    }

    /// The remaining rights after a move from or to a square.
    #[must_use]
    pub const fn after_touching(self, square: Square) -> Castling {
        Castling(self.0 & KEPT[square.to_usize()])
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The rights in FEN order.
    pub fn iter(self) -> impl Iterator<Item = (Color, CastlingSide)> {
        RIGHTS.into_iter().filter(move |(color, side)| self.has(*color, *side))
    }

    /// The rights' part of a branch's key.
    pub(crate) fn key(self) -> u64 {
        self.iter().fold(0, |key, (color, side)| key ^ Zobrist64::zobrist_for_castling_right(color, side).0)
    }

    /// Reads the field of a FEN; the error is the unexpected letter.
    pub(crate) fn read(text: &str) -> Result<Castling, char> {
        if text == "-" {
            return Ok(Castling::NONE);
        }
        text.chars().try_fold(Castling::NONE, |castling, letter| {
            let at = "KQkq".find(letter).ok_or(letter)?;
            Ok(castling.with(RIGHTS[at].0, RIGHTS[at].1))
        })
    }
}

/// Initial square of a rook that can castle.
pub(crate) const fn rook_home(color: Color, side: CastlingSide) -> Square {
    match (color, side) {
        (Color::White, CastlingSide::KingSide) => Square::H1,
        (Color::White, CastlingSide::QueenSide) => Square::A1,
        (Color::Black, CastlingSide::KingSide) => Square::H8,
        (Color::Black, CastlingSide::QueenSide) => Square::A8,
    }
}

/// Initial square of a king that can castle.
pub(crate) const fn king_home(color: Color) -> Square {
    match color {
        Color::White => Square::E1,
        Color::Black => Square::E8,
    }
}

pub(crate) const fn rook(color: Color) -> Piece {
    Piece { color, role: Role::Rook }
}

/// For each square, the rights that survive a move from or to it.
const KEPT: [u8; 64] = {
    let mut kept = [Castling::ALL.0; 64];
    let mut at = 0;
    while at < RIGHTS.len() {
        let (color, side) = RIGHTS[at];
        kept[rook_home(color, side).to_usize()] &= !Castling::bit(color, side);
        kept[king_home(color).to_usize()] &= !Castling::bit(color, side);
        at += 1;
    }
    kept
};

/// As in FEN: `KQkq`, `-`.
impl fmt::Display for Castling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        self.iter().try_for_each(|(color, side)| {
            let letter = match side {
                CastlingSide::KingSide => Role::King,
                CastlingSide::QueenSide => Role::Queen,
            };
            write!(f, "{}", letter.of(color).char())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_a_corner_costs_one_right_and_touching_the_king_two() {
        assert_eq!(Castling::ALL.after_touching(Square::H1).to_string(), "Qkq");
        assert_eq!(Castling::ALL.after_touching(Square::E8).to_string(), "KQ");
        assert_eq!(Castling::ALL.after_touching(Square::E4), Castling::ALL);
    }

    #[test]
    fn every_set_of_rights_reads_as_it_is_written() {
        for bits in 0..16 {
            assert_eq!(Castling::read(&Castling(bits).to_string()), Ok(Castling(bits)));
        }
        assert_eq!(Castling::read("KQx"), Err('x'));
    }
}
