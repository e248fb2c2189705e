//! The engine's own position: shakmaty's board and attack tables, with what a search asks for at every node
//! kept ready beside them.
//!
//! What it adds to shakmaty's `Chess`: a mailbox, incremental keys (position, pawns, minor pieces, each side's
//! pieces), checkers, pins and threatened squares, moves in stages instead of all at once, and a test whether
//! any sixteen bits are a legal move. Making a move copies the position: there is nothing to undo.
//!
//! The rules are still shakmaty's: differential tests hold every move list, every successor and every legality
//! verdict against it.

mod generate;
pub mod keys;
mod legal;
mod make;
pub mod piece;
mod see;
#[cfg(test)]
mod tests;

use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Position as _, Role, Square, attacks};
use tabia_eval::View;

use super::moves::Move;
use piece::PieceCode;

pub use see::see_value;

/// Counters start no higher, so that no line of a search can carry them past sixteen bits.
const LARGEST_COUNT: u32 = u16::MAX as u32 / 2;

/// A position inside the search.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    mailbox: [PieceCode; 64],
    checkers: Bitboard,
    pinned: Bitboard,
    threats: Bitboard,
    castling: Bitboard,
    keys: Keys,
    en_passant: Option<Square>,
    turn: Color,
    halfmove_clock: u16,
    move_number: u16,
    plies_since_null: u16,
}

/// Hashes of the whole position and of parts of it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Keys {
    /// Everything the future depends on.
    pub position: u64,
    /// Pawns of both sides.
    pub pawns: u64,
    /// Knights, bishops and kings of both sides.
    pub minors: u64,
    /// Everything but pawns, a side each (White, Black).
    pub pieces: [u64; 2],
}

impl Position {
    /// The engine's form of a position.
    pub fn new(chess: &Chess) -> Position {
        let board = chess.board().clone();
        let mut mailbox = [PieceCode::EMPTY; 64];
        for (square, piece) in &board {
            mailbox[square as usize] = PieceCode::new(piece.color, piece.role);
        }
        let mut position = Position {
            board,
            mailbox,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            threats: Bitboard::EMPTY,
            castling: chess.castles().castling_rights(),
            keys: Keys::default(),
            en_passant: chess.ep_square(EnPassantMode::Legal),
            turn: chess.turn(),
            halfmove_clock: chess.halfmoves().min(LARGEST_COUNT) as u16,
            move_number: chess.fullmoves().get().min(LARGEST_COUNT) as u16,
            plies_since_null: LARGEST_COUNT as u16,
        };
        position.keys = position.keys_from_scratch();
        position.refresh_attacks();
        position
    }

    /// Keys computed from scratch; the incremental ones must always equal them.
    pub fn keys_from_scratch(&self) -> Keys {
        let mut keys = Keys::default();
        for (square, piece) in &self.board {
            keys.toggle(PieceCode::new(piece.color, piece.role), piece.role, piece.color, square);
        }
        for color in Color::ALL {
            let rooks = self.castling & self.board.by_color(color);
            keys.position ^= keys::castling_rights(color, self.king_of(color), rooks);
        }
        if let Some(square) = self.en_passant {
            keys.position ^= keys::en_passant(square.file());
        }
        if self.turn == Color::White {
            keys.position ^= keys::WHITE_TO_MOVE;
        }
        keys
    }

    /// What an evaluation may see.
    #[inline]
    pub fn view(&self) -> View<'_> {
        View {
            board: &self.board,
            turn: self.turn,
            castling: self.castling,
            en_passant: self.en_passant,
            move_number: u32::from(self.move_number),
        }
    }

    #[inline]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    #[inline]
    pub const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The hash of the whole position.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.keys.position
    }

    /// Pieces that give check.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Squares the other side attacks (through our king).
    #[inline]
    pub const fn threats(&self) -> Bitboard {
        self.threats
    }

    /// Half-moves since the last capture or pawn move.
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// How far back a repetition can lie.
    #[inline]
    pub fn reversible_plies(&self) -> usize {
        usize::from(self.halfmove_clock.min(self.plies_since_null))
    }

    /// Rooks that may castle.
    #[inline]
    pub const fn castling(&self) -> Bitboard {
        self.castling
    }

    /// Where a pawn may be captured en passant.
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// What stands on a square.
    #[inline]
    pub fn at(&self, square: Square) -> PieceCode {
        self.mailbox[square as usize]
    }

    /// Pieces of the side to move.
    #[inline]
    pub const fn us(&self) -> Bitboard {
        self.board.by_color(self.turn)
    }

    /// Pieces of the other side.
    #[inline]
    pub const fn them(&self) -> Bitboard {
        self.board.by_color(self.turn.other())
    }

    /// The king's square. Positions without a king do not get this far.
    #[inline]
    pub fn king_of(&self, color: Color) -> Square {
        self.board.king_of(color).expect("every position read has one king a side")
    }

    /// Whether the side to move has more than king and pawns, so that passing is a real option.
    #[inline]
    pub fn has_pieces(&self) -> bool {
        (self.us() & !(self.board.pawns() | self.board.kings())).any()
    }

    /// Whether a move takes something.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        (self.board.occupied().contains(mv.to()) && !mv.is_castle()) || mv.is_en_passant()
    }

    /// Captures and queen promotions: what quiescence looks at and histories of quiet moves leave out.
    #[inline]
    pub fn is_noisy(&self, mv: Move) -> bool {
        self.is_capture(mv) || mv.promotion_role() == Some(Role::Queen)
    }

    /// What a move takes; nothing for quiet moves.
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<Role> {
        if mv.is_en_passant() {
            Some(Role::Pawn)
        } else if mv.is_castle() {
            None
        } else {
            self.at(mv.to()).role()
        }
    }

    /// Neither side can mate: bare kings, one minor piece, or bishops that all stand on one colour.
    pub fn is_insufficient_material(&self) -> bool {
        let board = &self.board;
        if (board.pawns() | board.rooks_and_queens()).any() {
            return false;
        }
        if board.occupied().count() <= 3 {
            return true;
        }
        board.knights().is_empty()
            && (board.bishops().is_subset(Bitboard::DARK_SQUARES)
                || board.bishops().is_subset(Bitboard::LIGHT_SQUARES))
    }

    /// Checkers, pins and threats, after the board changed.
    fn refresh_attacks(&mut self) {
        let us = self.turn;
        let king = self.king_of(us);
        let them = self.them();
        let occupied = self.board.occupied();
        self.threats = self.attacks_by(us.other(), occupied.without(king));
        self.checkers = if self.threats.contains(king) {
            self.board.attacks_to(king, us.other(), occupied)
        } else {
            Bitboard::EMPTY
        };
        let snipers = (attacks::rook_attacks(king, them) & self.board.rooks_and_queens()
            | attacks::bishop_attacks(king, them) & self.board.bishops_and_queens())
            & them;
        self.pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let between = attacks::between(king, sniper) & occupied;
            if !between.more_than_one() {
                self.pinned |= between & self.us();
            }
        }
    }

    /// Every square a side attacks, its own pieces' squares included.
    pub fn attacks_by(&self, color: Color, occupied: Bitboard) -> Bitboard {
        let board = &self.board;
        let side = board.by_color(color);
        let pawns = board.pawns() & side;
        let mut squares = pawn_attacks(color, pawns) | attacks::king_attacks(self.king_of(color));
        for square in board.knights() & side {
            squares |= attacks::knight_attacks(square);
        }
        for square in board.bishops_and_queens() & side {
            squares |= attacks::bishop_attacks(square, occupied);
        }
        for square in board.rooks_and_queens() & side {
            squares |= attacks::rook_attacks(square, occupied);
        }
        squares
    }
}

/// Squares attacked by a set of pawns.
#[inline]
pub fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let pawns = pawns.0;
    Bitboard(match color {
        Color::White => (pawns & NOT_A) << 7 | (pawns & NOT_H) << 9,
        Color::Black => (pawns & NOT_A) >> 9 | (pawns & NOT_H) >> 7,
    })
}

impl Keys {
    /// Puts a piece on a square, or takes it away.
    #[inline]
    fn toggle(&mut self, code: PieceCode, role: Role, color: Color, square: Square) {
        let key = keys::PIECE_KEYS[code.index()][square as usize];
        self.position ^= key;
        if role == Role::Pawn {
            self.pawns ^= key;
            return;
        }
        self.pieces[usize::from(color == Color::Black)] ^= key;
        if matches!(role, Role::Knight | Role::Bishop | Role::King) {
            self.minors ^= key;
        }
    }
}
