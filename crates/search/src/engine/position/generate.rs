//! Legal moves in stages: noisy ones (captures and queen promotions) first, quiet ones when they are wanted.
//!
//! Every move generated is legal: pins, checks and threatened squares are known, so nothing is tried and
//! taken back.

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use super::super::moves::{Move, MoveList, add};
use super::Position;

const UNDERPROMOTIONS: [Role; 3] = [Role::Rook, Role::Bishop, Role::Knight];

impl Position {
    /// Captures and queen promotions.
    pub fn generate_noisy(&self, list: &mut MoveList) {
        let them = self.them();
        self.king_moves(list, them);
        if self.checkers.more_than_one() {
            return;
        }
        let targets = self.evasion_targets();
        self.pawn_captures(list, targets);
        self.piece_moves(list, them & targets);
    }

    /// Everything else: quiet moves, castling, underpromotions without capture.
    pub fn generate_quiet(&self, list: &mut MoveList) {
        let empty = !self.board.occupied();
        if !self.checkers.more_than_one() {
            let targets = self.evasion_targets();
            self.castling_moves(list);
            self.piece_moves(list, empty & targets);
            self.pawn_pushes(list, empty, targets);
        }
        self.king_moves(list, empty);
    }

    pub fn generate_all(&self, list: &mut MoveList) {
        self.generate_noisy(list);
        self.generate_quiet(list);
    }

    /// Whether there is any legal move.
    pub fn has_legal_move(&self) -> bool {
        let mut list = MoveList::new();
        self.king_moves(&mut list, !self.us());
        if list.is_empty() {
            self.generate_all(&mut list);
        }
        !list.is_empty()
    }

    #[inline]
    fn king_moves(&self, list: &mut MoveList, targets: Bitboard) {
        let king = self.king_of(self.turn);
        for to in attacks::king_attacks(king) & targets & !self.threats {
            add(list, Move::normal(king, to));
        }
    }

    fn castling_moves(&self, list: &mut MoveList) {
        let king = self.king_of(self.turn);
        for rook in self.castling & self.us() {
            if self.can_castle(king, rook) {
                add(list, Move::castle(king, rook));
            }
        }
    }

    /// Where a pinned piece may go: along the line to its king. Others: anywhere.
    #[inline]
    fn pin_line(&self, from: Square) -> Bitboard {
        if self.pinned.contains(from) { attacks::ray(self.king_of(self.turn), from) } else { Bitboard::FULL }
    }

    fn piece_moves(&self, list: &mut MoveList, targets: Bitboard) {
        let board = &self.board;
        let us = self.us();
        let occupied = board.occupied();
        // A pinned knight never moves.
        for from in board.knights() & us & !self.pinned {
            for to in attacks::knight_attacks(from) & targets {
                add(list, Move::normal(from, to));
            }
        }
        for from in board.bishops() & us {
            for to in attacks::bishop_attacks(from, occupied) & targets & self.pin_line(from) {
                add(list, Move::normal(from, to));
            }
        }
        for from in board.rooks() & us {
            for to in attacks::rook_attacks(from, occupied) & targets & self.pin_line(from) {
                add(list, Move::normal(from, to));
            }
        }
        for from in board.queens() & us {
            for to in attacks::queen_attacks(from, occupied) & targets & self.pin_line(from) {
                add(list, Move::normal(from, to));
            }
        }
    }

    /// Captures by pawns, all promotions with capture, queen promotions without, en passant.
    fn pawn_captures(&self, list: &mut MoveList, targets: Bitboard) {
        let us = self.turn;
        let pawns = self.board.pawns() & self.us();
        let last_rank = Bitboard::from_rank(us.fold_wb(Rank::Eighth, Rank::First));
        let ready = pawns & Bitboard::from_rank(us.fold_wb(Rank::Seventh, Rank::Second));
        let them = self.them() & targets;
        for from in pawns {
            for to in attacks::pawn_attacks(us, from) & them & self.pin_line(from) {
                if last_rank.contains(to) {
                    add(list, Move::promotion(from, to, Role::Queen));
                    for role in UNDERPROMOTIONS {
                        add(list, Move::promotion(from, to, role));
                    }
                } else {
                    add(list, Move::normal(from, to));
                }
            }
        }
        for from in ready {
            let to = forward(us, from);
            if (targets & !self.board.occupied() & self.pin_line(from)).contains(to) {
                add(list, Move::promotion(from, to, Role::Queen));
            }
        }
        if let Some(to) = self.en_passant {
            for from in attacks::pawn_attacks(us.other(), to) & pawns {
                if self.en_passant_is_safe(from, to) {
                    add(list, Move::en_passant(from, to));
                }
            }
        }
    }

    fn pawn_pushes(&self, list: &mut MoveList, empty: Bitboard, targets: Bitboard) {
        let us = self.turn;
        let pawns = self.board.pawns() & self.us();
        let ready = pawns & Bitboard::from_rank(us.fold_wb(Rank::Seventh, Rank::Second));
        let offset = us.fold_wb(8, -8);
        let third = Bitboard::from_rank(us.fold_wb(Rank::Third, Rank::Sixth));
        let single = (pawns & !ready).shift(offset) & empty;
        let double = (single & third).shift(offset) & empty & targets;
        for to in single & targets {
            self.push(list, to, -offset);
        }
        for to in double {
            self.push(list, to, -2 * offset);
        }
        for from in ready {
            let to = forward(us, from);
            if (empty & targets & self.pin_line(from)).contains(to) {
                for role in UNDERPROMOTIONS {
                    add(list, Move::promotion(from, to, role));
                }
            }
        }
    }

    #[inline]
    fn push(&self, list: &mut MoveList, to: Square, back: i32) {
        if let Some(from) = to.offset(back)
            && self.pin_line(from).contains(to)
        {
            add(list, Move::normal(from, to));
        }
    }
}

/// One step ahead for a pawn that is not on its last rank.
#[inline]
fn forward(us: Color, from: Square) -> Square {
    from.offset(us.fold_wb(8, -8)).unwrap_or(from)
}
