//! The part of a position that an evaluation may look at.

use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Position, Square};

/// A position as an evaluation sees it. It borrows the board, so that a search can keep its own kind of
/// position and still ask any evaluation.
///
/// ```
/// use shakmaty::{Chess, Color};
/// use tabia_eval::View;
///
/// let start = Chess::default();
/// let view = View::from(&start);
/// assert_eq!((view.turn, view.board.occupied().count()), (Color::White, 32));
/// ```
#[derive(Copy, Clone, Debug)]
pub struct View<'a> {
    pub board: &'a Board,
    pub turn: Color,
    /// Squares of the rooks that may still castle.
    pub castling: Bitboard,
    /// Where a pawn may be captured en passant.
    pub en_passant: Option<Square>,
    /// The full-move number, from 1.
    pub move_number: u32,
}

impl<'a> From<&'a Chess> for View<'a> {
    fn from(position: &'a Chess) -> View<'a> {
        View {
            board: position.board(),
            turn: position.turn(),
            castling: position.castles().castling_rights(),
            en_passant: position.ep_square(EnPassantMode::Legal),
            move_number: position.fullmoves().get(),
        }
    }
}

/// Index of a square on half a board, files e to h mirrored: 0 to 31.
pub(crate) const fn half_board(square: Square) -> usize {
    let (rank, file) = (square as usize / 8, square as usize % 8);
    rank * 4 + if file < 4 { file } else { 7 - file }
}
