//! Making moves: the successor is a changed copy.

use shakmaty::{Bitboard, CastlingSide, Color, Piece, Rank, Role, Square, attacks};

use super::super::moves::Move;
use super::piece::PieceCode;
use super::{Position, keys};

impl Position {
    /// The position after a legal move.
    #[must_use]
    pub fn after(&self, mv: Move) -> Position {
        debug_assert!(self.is_legal(mv), "{mv} in {:?}", self.board);
        let mut next = self.clone();
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        let moved = self.mailbox[from as usize];
        let role = moved.role().unwrap_or(Role::Pawn);

        next.clear_en_passant();
        next.halfmove_clock += 1;
        next.plies_since_null += 1;
        next.move_number += u16::from(us == Color::Black);

        if mv.is_castle() {
            next.castle(us, from, to);
        } else {
            next.take(us.other(), if mv.is_en_passant() { behind(us, to) } else { to });
            next.lift(from, us, role);
            next.put(to, us, mv.promotion_role().unwrap_or(role));
            if role == Role::Pawn {
                next.halfmove_clock = 0;
                if (from as i32 - to as i32).abs() == 16 {
                    next.offer_en_passant(us, to);
                }
            }
        }
        if (next.castling & (Bitboard::from(from) | to)).any() || (role == Role::King && next.castling.any())
        {
            next.lose_castling(us, role, from, to, self.king_of(us.other()));
        }
        next.turn = us.other();
        next.keys.position ^= keys::WHITE_TO_MOVE;
        next.refresh_attacks();
        next.verify_en_passant();
        next
    }

    /// The position after passing. Only where the side to move is not in check.
    #[must_use]
    pub fn after_null(&self) -> Position {
        debug_assert!(!self.in_check());
        let mut next = self.clone();
        next.clear_en_passant();
        next.halfmove_clock += 1;
        next.plies_since_null = 0;
        next.move_number += u16::from(self.turn == Color::Black);
        next.turn = self.turn.other();
        next.keys.position ^= keys::WHITE_TO_MOVE;
        next.refresh_attacks();
        next
    }

    /// The key after a move, near enough to fetch its table entry ahead of time: castling rights, castling and
    /// en passant are not accounted for.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from() as usize, mv.to() as usize);
        let moved = self.mailbox[from];
        let taken = self.mailbox[to];
        let mut key = self.keys.position ^ keys::WHITE_TO_MOVE;
        if !moved.is_empty() {
            key ^= keys::PIECE_KEYS[moved.index()][from] ^ keys::PIECE_KEYS[moved.index()][to];
        }
        if !taken.is_empty() {
            key ^= keys::PIECE_KEYS[taken.index()][to];
        }
        key
    }

    #[inline]
    fn lift(&mut self, square: Square, color: Color, role: Role) {
        self.board.discard_piece_at(square);
        self.mailbox[square as usize] = PieceCode::EMPTY;
        self.keys.toggle(PieceCode::new(color, role), role, color, square);
    }

    #[inline]
    fn put(&mut self, square: Square, color: Color, role: Role) {
        let code = PieceCode::new(color, role);
        self.board.set_piece_at(square, Piece { color, role });
        self.mailbox[square as usize] = code;
        self.keys.toggle(code, role, color, square);
    }

    /// Removes a captured piece, if there is one.
    #[inline]
    fn take(&mut self, owner: Color, square: Square) {
        if let Some(role) = self.mailbox[square as usize].role() {
            self.lift(square, owner, role);
            self.halfmove_clock = 0;
        }
    }

    fn castle(&mut self, us: Color, king: Square, rook: Square) {
        let side = CastlingSide::from_king_side(rook > king);
        self.lift(king, us, Role::King);
        self.lift(rook, us, Role::Rook);
        self.put(side.king_to(us), us, Role::King);
        self.put(side.rook_to(us), us, Role::Rook);
    }

    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.keys.position ^= keys::en_passant(square.file());
        }
    }

    /// After a double push: notes the square if an enemy pawn stands ready.
    fn offer_en_passant(&mut self, us: Color, to: Square) {
        let square = behind(us, to);
        let takers = attacks::pawn_attacks(us, square) & self.board.pawns() & self.board.by_color(us.other());
        if takers.any() {
            self.en_passant = Some(square);
            self.keys.position ^= keys::en_passant(square.file());
        }
    }

    /// Forgets an en passant square that no legal capture can use, so that equal positions have equal keys.
    fn verify_en_passant(&mut self) {
        let Some(square) = self.en_passant else { return };
        let takers = attacks::pawn_attacks(self.turn.other(), square) & self.board.pawns() & self.us();
        if !takers.into_iter().any(|from| self.en_passant_is_safe(from, square)) {
            self.clear_en_passant();
        }
    }

    fn lose_castling(&mut self, us: Color, role: Role, from: Square, to: Square, their_king: Square) {
        let them = us.other();
        let before = self.castling;
        let mut lost = Bitboard::from(from) | to;
        if role == Role::King {
            lost |= Bitboard::from_rank(us.fold_wb(Rank::First, Rank::Eighth));
        }
        self.castling &= !lost;
        let gone = before & lost;
        let our_rank = Bitboard::from_rank(us.fold_wb(Rank::First, Rank::Eighth));
        // Our own rights: if the king stayed, it still stands where it stood.
        let our_king = if role == Role::King { from } else { self.king_of(us) };
        self.keys.position ^= keys::castling_rights(us, our_king, gone & our_rank);
        self.keys.position ^= keys::castling_rights(them, their_king, gone & !our_rank);
    }
}

/// The square behind `to`, seen by `us`: where the captured pawn stands en passant, or the square it skipped.
#[inline]
fn behind(us: Color, to: Square) -> Square {
    to.offset(us.fold_wb(-8, 8)).unwrap_or(to)
}
