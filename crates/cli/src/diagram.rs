//! What all boards in a terminal share: colours, marked squares, the order of squares, and piece symbols.

use shakmaty::{CastlingSide, Chess, Color, File, Move, Position, Rank, Role, Square};

// Colours of the 256-colour palette on which both white and black are readable.
/// A light square.
pub const LIGHT: u8 = 103;
/// A dark square.
pub const DARK: u8 = 60;
/// Origin and target of the last move.
pub const LAST_MOVE: u8 = 100;
/// A king in check.
pub const CHECK: u8 = 131;
/// White's pieces.
pub const WHITE_PIECE: u8 = 231;
/// Black's pieces.
pub const BLACK_PIECE: u8 = 16;

/// Marked squares.
#[derive(Copy, Clone, Debug)]
pub struct Marks {
    /// Origin of the last move.
    pub from: Option<Square>,
    /// Target of the last move.
    pub to: Option<Square>,
    /// The king that is in check.
    pub check: Option<Square>,
}

impl Marks {
    /// The marks of a position after a move.
    pub fn new(position: &Chess, last: Option<Move>) -> Marks {
        let to = last.map(|m| landing(m, position.turn().other()));
        let check = if position.is_check() { position.board().king_of(position.turn()) } else { None };
        Marks { from: last.and_then(Move::from), to, check }
    }

    /// Whether the last move came from or went to a square.
    pub fn is_last(self, square: Square) -> bool {
        self.from == Some(square) || self.to == Some(square)
    }

    /// The colour of a square.
    pub fn ground(self, square: Square) -> u8 {
        match () {
            () if self.check == Some(square) => CHECK,
            () if self.is_last(square) => LAST_MOVE,
            () if square.is_light() => LIGHT,
            () => DARK,
        }
    }
}

/// Target square of the piece that moves; castling is written as king takes rook.
pub fn landing(m: Move, mover: Color) -> Square {
    match m {
        Move::Castle { king, rook } => CastlingSide::from_king_side(rook > king).king_to(mover),
        _ => m.to(),
    }
}

/// Ranks from the top and files from the left, with the side of `bottom` below.
pub fn order(bottom: Color) -> ([Rank; 8], [File; 8]) {
    let (mut ranks, mut files) = (Rank::ALL, File::ALL);
    match bottom {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    (ranks, files)
}

/// The symbol of a kind of piece, filled or in outline.
pub const fn symbol(role: Role, filled: bool) -> char {
    match (role, filled) {
        (Role::Pawn, false) => '♙',
        (Role::Knight, false) => '♘',
        (Role::Bishop, false) => '♗',
        (Role::Rook, false) => '♖',
        (Role::Queen, false) => '♕',
        (Role::King, false) => '♔',
        (Role::Pawn, true) => '♟',
        (Role::Knight, true) => '♞',
        (Role::Bishop, true) => '♝',
        (Role::Rook, true) => '♜',
        (Role::Queen, true) => '♛',
        (Role::King, true) => '♚',
    }
}
