//! Whether any sixteen bits are a legal move here: table entries may be overwritten by other positions, and
//! killers come from elsewhere in the tree.

use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square, attacks};

use super::super::moves::Move;
use super::Position;

impl Position {
    /// Whether this is a legal move.
    pub fn is_legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let us = self.us();
        let Some(role) = self.at(from).role() else { return false };
        if mv.is_none() || !us.contains(from) || mv.bits() >> 12 > 7 || mv.bits() >> 12 == 3 {
            return false;
        }
        if mv.is_castle() {
            return role == Role::King && self.can_castle(from, to);
        }
        if us.contains(to) {
            return false;
        }
        if role == Role::King {
            return mv.promotion_role().is_none()
                && !mv.is_en_passant()
                && (attacks::king_attacks(from) & !self.threats).contains(to);
        }
        if mv.is_en_passant() {
            return role == Role::Pawn
                && self.en_passant == Some(to)
                && attacks::pawn_attacks(self.turn, from).contains(to)
                && self.en_passant_is_safe(from, to);
        }
        let last_rank = Bitboard::from_rank(self.turn.fold_wb(Rank::Eighth, Rank::First));
        if mv.promotion_role().is_some() != (role == Role::Pawn && last_rank.contains(to)) {
            return false;
        }
        if self.pinned.contains(from) && !attacks::ray(self.king_of(self.turn), from).contains(to) {
            return false;
        }
        self.evasion_targets().contains(to) && self.reaches(role, from, to)
    }

    /// Whether a piece that is no king gets from one square to another, pins and checks aside.
    fn reaches(&self, role: Role, from: Square, to: Square) -> bool {
        let occupied = self.board.occupied();
        match role {
            Role::Pawn if occupied.contains(to) => attacks::pawn_attacks(self.turn, from).contains(to),
            Role::Pawn => {
                let forward = self.turn.fold_wb(8, -8);
                let distance = to as i32 - from as i32;
                let home = Bitboard::from_rank(self.turn.fold_wb(Rank::Second, Rank::Seventh));
                distance == forward
                    || (distance == 2 * forward
                        && home.contains(from)
                        && !from.offset(forward).is_none_or(|middle| occupied.contains(middle)))
            }
            Role::Knight => attacks::knight_attacks(from).contains(to),
            Role::Bishop => attacks::bishop_attacks(from, occupied).contains(to),
            Role::Rook => attacks::rook_attacks(from, occupied).contains(to),
            Role::Queen => attacks::queen_attacks(from, occupied).contains(to),
            Role::King => false,
        }
    }

    /// Where a piece other than the king may go so that no check remains: anywhere without check, onto or in
    /// front of a single checker, nowhere against two.
    #[inline]
    pub(super) fn evasion_targets(&self) -> Bitboard {
        match self.checkers.first() {
            None => Bitboard::FULL,
            Some(_) if self.checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => attacks::between(self.king_of(self.turn), checker) | checker,
        }
    }

    /// Whether capturing en passant leaves our king safe: two pawns leave their squares at once, which no pin
    /// foresees.
    pub(super) fn en_passant_is_safe(&self, from: Square, to: Square) -> bool {
        let us = self.turn;
        let king = self.king_of(us);
        let Some(captured) = to.offset(us.fold_wb(-8, 8)) else { return false };
        let occupied = self.board.occupied().toggled(from).toggled(captured).with(to);
        let them = self.them().without(captured);
        let board = &self.board;
        (attacks::rook_attacks(king, occupied) & board.rooks_and_queens() & them).is_empty()
            && (attacks::bishop_attacks(king, occupied) & board.bishops_and_queens() & them).is_empty()
            && (attacks::knight_attacks(king) & board.knights() & them).is_empty()
            && (attacks::pawn_attacks(us, king) & board.pawns() & them).is_empty()
    }

    /// Whether the king on `king` may castle with the rook on `rook`.
    pub(super) fn can_castle(&self, king: Square, rook: Square) -> bool {
        let us: Color = self.turn;
        if self.in_check() || !(self.castling & self.us()).contains(rook) {
            return false;
        }
        let side = CastlingSide::from_king_side(rook > king);
        let (king_to, rook_to) = (side.king_to(us), side.rook_to(us));
        let occupied = self.board.occupied().without(king).without(rook);
        let king_path = attacks::between(king, king_to).with(king_to);
        let rook_path = attacks::between(rook, rook_to).with(rook_to);
        if ((king_path | rook_path) & occupied).any() || (king_path & self.threats).any() {
            return false;
        }
        // In Chess960 the rook may have shielded the king's new square along the back rank.
        let sliders = self.board.rooks_and_queens() & self.them();
        (attacks::rook_attacks(king_to, occupied.with(rook_to)) & sliders).is_empty()
    }
}
