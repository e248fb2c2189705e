//! One classical board, and the effect of a move on it.
//!
//! The rules of chess without check: kings may be attacked, left attacked and captured (rule 4). Attack tables and
//! bitboards are shakmaty's. The key is updated incrementally, so that branches are sorted and merged without comparing
//! their boards.

use std::cmp::Ordering;

use shakmaty::{
    Bitboard, Board, CastlingSide, Color, Piece, Rank, Role, Square, attacks,
    zobrist::{Zobrist64, ZobristValue},
};

use crate::action::Move;
use crate::castling::{self, Castling};

/// A classical board with castling rights, en passant square and weight.
#[derive(Clone, Debug)]
pub struct Branch {
    board: Board,
    key: u64,
    pub(crate) weight: u64,
    castling: Castling,
    en_passant: Option<Square>,
}

/// The effect of a possible move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A piece goes to an empty square.
    Quiet,
    /// A capture; en passant captures on a square other than the target.
    Capture {
        /// Square of the captured piece.
        at: Square,
    },
    Castle(CastlingSide),
}

impl Branch {
    /// A branch with a weight. The board has one king per side and no pawn on the first or last rank.
    pub(crate) fn new(board: Board, castling: Castling, en_passant: Option<Square>, weight: u64) -> Branch {
        let mut key = castling.key() ^ en_passant_key(en_passant);
        for (square, piece) in &board {
            key ^= piece_key(square, piece);
        }
        Branch { board, key, weight, castling, en_passant }
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    pub fn castling(&self) -> Castling {
        self.castling
    }

    /// The square that a pawn has just passed, whether or not it can be captured there.
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Its weight; its probability is this divided by the sum of all weights.
    pub fn weight(&self) -> u64 {
        self.weight
    }

    /// A hash of the board, the castling rights and the en passant square.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The effect of a move of `turn`; `None` where it is impossible. Splits are treated like classical moves.
    #[inline]
    pub fn effect(&self, m: Move, turn: Color) -> Option<Effect> {
        let (from, to) = (m.from(), m.to());
        let (own, enemy) = (self.board.by_color(turn), self.board.by_color(turn.other()));
        if !own.contains(from) || own.contains(to) {
            return None;
        }
        let occupied = self.board.occupied();
        let role = self.board.role_at(from)?;
        if role == Role::Pawn {
            return self.pawn_effect(m, turn);
        }
        if m.underpromotion().is_some() {
            return None;
        }
        let reach = match role {
            Role::Knight => attacks::knight_attacks(from),
            Role::Bishop => attacks::bishop_attacks(from, occupied),
            Role::Rook => attacks::rook_attacks(from, occupied),
            Role::Queen => attacks::queen_attacks(from, occupied),
            Role::Pawn | Role::King => attacks::king_attacks(from),
        };
        if reach.contains(to) {
            return Some(if enemy.contains(to) { Effect::Capture { at: to } } else { Effect::Quiet });
        }
        if role != Role::King {
            return None;
        }
        CastlingSide::ALL
            .into_iter()
            .find(|side| side.king_to(turn) == to && from == castling::king_home(turn))
            .filter(|side| self.can_castle(turn, *side))
            .map(Effect::Castle)
    }

    #[inline]
    fn pawn_effect(&self, m: Move, turn: Color) -> Option<Effect> {
        let (from, to) = (m.from(), m.to());
        if attacks::pawn_attacks(turn, from).contains(to) {
            if self.board.by_color(turn.other()).contains(to) {
                return Some(Effect::Capture { at: to });
            }
            return (self.en_passant == Some(to))
                .then(|| Effect::Capture { at: Square::from_coords(to.file(), from.rank()) });
        }
        self.pushes(from, turn).contains(to).then_some(Effect::Quiet)
    }

    /// Squares to which a pawn can advance.
    #[inline]
    pub(crate) fn pushes(&self, from: Square, turn: Color) -> Bitboard {
        let empty = !self.board.occupied();
        let forward = turn.fold_wb(8, -8);
        let once = Bitboard::from_square(from).shift(forward) & empty;
        let twice =
            once.shift(forward) & empty & Bitboard::from_rank(turn.fold_wb(Rank::Fourth, Rank::Fifth));
        once | twice
    }

    /// Castling needs the right, the rook on its square and an empty path; attacked squares do not matter.
    #[inline]
    pub(crate) fn can_castle(&self, turn: Color, side: CastlingSide) -> bool {
        if !self.castling.has(turn, side) {
            return false;
        }
        let (king, rook) = (castling::king_home(turn), castling::rook_home(turn, side));
        self.board.piece_at(rook) == Some(castling::rook(turn))
            && self.board.piece_at(king) == Some(turn.king())
            && (attacks::between(king, rook) & self.board.occupied()).is_empty()
    }

    /// Makes a move with this effect.
    #[inline]
    pub(crate) fn make(&mut self, m: Move, turn: Color, effect: Effect) {
        let (from, to) = (m.from(), m.to());
        self.pass();
        if let Effect::Capture { at } = effect {
            self.take(at);
        }
        let Some(mut piece) = self.take(from) else { return };
        if piece.role == Role::Pawn {
            if m.may_promote() {
                piece.role = m.promotion();
            } else if from.rank().distance(to.rank()) == 2 {
                self.en_passant =
                    Some(Square::from_coords(from.file(), turn.fold_wb(Rank::Third, Rank::Sixth)));
                self.key ^= en_passant_key(self.en_passant);
            }
        }
        self.put(to, piece);
        if let Effect::Castle(side) = effect {
            self.take(castling::rook_home(turn, side));
            self.put(side.rook_to(turn), castling::rook(turn));
        }
        if !self.castling.is_empty() {
            let left = self.castling.after_touching(from).after_touching(to);
            if left != self.castling {
                self.key ^= self.castling.key() ^ left.key();
                self.castling = left;
            }
        }
    }

    /// A branch that cannot make the move: clears its en passant square (rule 7).
    #[inline]
    pub(crate) fn pass(&mut self) {
        if self.en_passant.is_some() {
            self.key ^= en_passant_key(self.en_passant);
            self.en_passant = None;
        }
    }

    #[inline]
    fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.board.remove_piece_at(square)?;
        self.key ^= piece_key(square, piece);
        Some(piece)
    }

    #[inline]
    fn put(&mut self, square: Square, piece: Piece) {
        debug_assert!(!self.board.occupied().contains(square));
        self.board.set_piece_at(square, piece);
        self.key ^= piece_key(square, piece);
    }

    /// Whether a side still has its king.
    #[inline]
    pub(crate) fn has_king(&self, color: Color) -> bool {
        (self.board.kings() & self.board.by_color(color)).any()
    }

    /// Whether only kings are left.
    pub(crate) fn has_only_kings(&self) -> bool {
        self.board.occupied() == self.board.kings()
    }

    /// Whether `turn` can make any move here.
    pub(crate) fn can_move(&self, turn: Color) -> bool {
        let own = self.board.by_color(turn);
        let forward = turn.fold_wb(8, -8);
        if ((self.board.pawns() & own).shift(forward) & !self.board.occupied()).any() {
            return true;
        }
        own.into_iter().any(|square| {
            let reach = self.board.attacks_from(square) & !own;
            if self.board.pawns().contains(square) {
                let passing = self.en_passant.map_or(Bitboard::EMPTY, Bitboard::from_square);
                return (reach & (self.board.by_color(turn.other()) | passing)).any();
            }
            reach.any()
        })
    }

    /// Whether board, castling rights and en passant square are the same; weights are ignored.
    #[inline]
    pub(crate) fn is_same_board(&self, other: &Branch) -> bool {
        self.key == other.key && self.place() == other.place()
    }

    /// The order of branches in the normal form: by key, then by contents.
    #[inline]
    pub(crate) fn order(&self, other: &Branch) -> Ordering {
        self.key.cmp(&other.key).then_with(|| self.place().cmp(&other.place()))
    }

    /// Everything that distinguishes two branches, in an ordered form.
    fn place(&self) -> ([Bitboard; 8], Castling, Option<Square>) {
        let (roles, colors) = self.board.clone().into_bitboards();
        let boards = [
            roles.pawn,
            roles.knight,
            roles.bishop,
            roles.rook,
            roles.queen,
            roles.king,
            colors.white,
            colors.black,
        ];
        (boards, self.castling, self.en_passant)
    }

    /// The branch with files mirrored and without castling rights.
    pub(crate) fn mirrored(&self) -> Branch {
        let mut board = self.board.clone();
        board.flip_horizontal();
        Branch::new(board, Castling::NONE, self.en_passant.map(Square::flip_horizontal), self.weight)
    }
}

impl PartialEq for Branch {
    fn eq(&self, other: &Branch) -> bool {
        self.weight == other.weight && self.is_same_board(other)
    }
}

impl Eq for Branch {}

#[inline]
fn piece_key(square: Square, piece: Piece) -> u64 {
    Zobrist64::zobrist_for_piece(square, piece).0
}

/// The key depends on the file only: the rank follows from the side, and no state has both.
#[inline]
fn en_passant_key(square: Option<Square>) -> u64 {
    square.map_or(0, |square| Zobrist64::zobrist_for_en_passant_file(square.file()).0)
}
