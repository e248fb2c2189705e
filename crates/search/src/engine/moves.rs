//! Moves packed into sixteen bits, and lists of scored moves.
//!
//! ```text
//! bits 0-5 from, 6-11 to, 12-15 kind
//! ```
//! Castling is encoded as "king takes own rook", which covers Chess960. Whether a move captures depends on the board.

use arrayvec::ArrayVec;
use shakmaty::{CastlingSide, Chess, Position as _, Role, Square};

/// Capacity of a move list; no legal position has more than 218 moves.
pub const MAX_MOVES: usize = 256;

/// A packed move. [`Move::NONE`] also stands for the null move.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Move(u16);

const KIND_NORMAL: u16 = 0;
const KIND_CASTLE: u16 = 1;
const KIND_EN_PASSANT: u16 = 2;
const KIND_PROMOTION: u16 = 4;

impl Move {
    pub const NONE: Move = Move(0);

    #[inline]
    const fn pack(from: Square, to: Square, kind: u16) -> Move {
        Move(from as u16 | (to as u16) << 6 | kind << 12)
    }

    /// A quiet move or capture without special rules.
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::pack(from, to, KIND_NORMAL)
    }

    /// Castling: `to` is the rook's square.
    #[inline]
    pub const fn castle(king: Square, rook: Square) -> Move {
        Move::pack(king, rook, KIND_CASTLE)
    }

    /// An en passant capture.
    #[inline]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move::pack(from, to, KIND_EN_PASSANT)
    }

    /// A promotion, capturing or not.
    #[inline]
    pub const fn promotion(from: Square, to: Square, role: Role) -> Move {
        Move::pack(from, to, KIND_PROMOTION + (role as u16 - Role::Knight as u16))
    }

    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 63) as u32)
    }

    /// The to-square; the rook's square when castling.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6 & 63) as u32)
    }

    /// From- and to-square as one index below 4096.
    #[inline]
    pub const fn from_to(self) -> usize {
        (self.0 & 0xfff) as usize
    }

    #[inline]
    pub const fn is_castle(self) -> bool {
        self.0 >> 12 == KIND_CASTLE
    }

    /// The side to which a castling move castles: that of the rook.
    pub fn castling_side(self) -> CastlingSide {
        CastlingSide::from_king_side(self.to() > self.from())
    }

    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0 >> 12 == KIND_EN_PASSANT
    }

    /// The piece a pawn promotes to.
    #[inline]
    pub const fn promotion_role(self) -> Option<Role> {
        match self.0 >> 12 {
            4 => Some(Role::Knight),
            5 => Some(Role::Bishop),
            6 => Some(Role::Rook),
            7 => Some(Role::Queen),
            _ => None,
        }
    }

    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub const fn is_some(self) -> bool {
        self.0 != 0
    }

    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The inverse of [`Move::bits`]. The result may be any bits: check it with
    /// [`crate::engine::position::Position::is_legal`].
    #[inline]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// Packs a move of shakmaty.
    pub fn from_shakmaty(m: shakmaty::Move) -> Move {
        match m {
            shakmaty::Move::Normal { from, to, promotion: Some(role), .. } => Move::promotion(from, to, role),
            shakmaty::Move::Normal { from, to, .. } => Move::normal(from, to),
            shakmaty::Move::EnPassant { from, to } => Move::en_passant(from, to),
            shakmaty::Move::Castle { king, rook } => Move::castle(king, rook),
            shakmaty::Move::Put { .. } => Move::NONE,
        }
    }

    /// The corresponding legal move of `position`, if there is one.
    pub fn to_shakmaty(self, position: &Chess) -> Option<shakmaty::Move> {
        position.legal_moves().into_iter().find(|m| Move::from_shakmaty(*m) == self)
    }
}

/// UCI notation of Chess960 (castling takes the rook).
impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotion_role().map_or(Ok(()), |role| write!(f, "{}", role.char()))
    }
}

/// Converts a line to shakmaty's moves, up to the first that is not legal.
pub fn to_line(moves: &[Move], start: &Chess) -> Vec<shakmaty::Move> {
    let mut position = start.clone();
    let mut line = Vec::with_capacity(moves.len());
    for mv in moves {
        let Some(m) = mv.to_shakmaty(&position) else { break };
        position.play_unchecked(m);
        line.push(m);
    }
    line
}

/// A move and its ordering score.
#[derive(Copy, Clone, Debug)]
pub struct ScoredMove {
    pub mv: Move,
    pub score: i32,
}

/// Moves of one position.
pub type MoveList = ArrayVec<ScoredMove, MAX_MOVES>;

/// Appends a move with score zero.
#[inline]
pub fn add(list: &mut MoveList, mv: Move) {
    list.push(ScoredMove { mv, score: 0 });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_move_survives_packing() {
        let promotion = Move::promotion(Square::A7, Square::B8, Role::Rook);
        assert_eq!((promotion.from(), promotion.to()), (Square::A7, Square::B8));
        assert_eq!(promotion.promotion_role(), Some(Role::Rook));
        assert!(Move::castle(Square::E1, Square::H1).is_castle());
        assert!(Move::en_passant(Square::E5, Square::D6).is_en_passant());
        assert_eq!(Move::normal(Square::H8, Square::A1).promotion_role(), None);
        assert_eq!(promotion.to_string(), "a7b8r");
    }
}
