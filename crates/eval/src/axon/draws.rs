//! Drawn material: Table II (seed 002 §II.B).
//!
//! The thirteen rows of the table, and the same with colours exchanged, are exactly the boards without pawns,
//! rooks and queens on which each side has beside its king nothing, one minor piece, or two knights. They are
//! evaluated as draws wherever they appear in the tree.
//!
//! The seed's two cautions are kept. "If even one pawn is present, a draw must not be evaluated." And with four
//! pieces or more "it is necessary to examine whether the side is in check": then the board is evaluated as any
//! other, since a mate, however unlikely, could be on it. With two or three pieces there is no mate to miss.

use shakmaty::{Board, Color};

use crate::view::View;

/// Boards with at most so many pieces, kings included, are draws whether or not the side to move is in check.
const DRAWN_IN_CHECK: usize = 3;

/// Whether Table II calls the position a draw.
#[inline]
pub fn is_draw(view: View<'_>) -> bool {
    let board = view.board;
    if (board.pawns() | board.rooks_and_queens()).any() {
        return false;
    }
    Color::ALL.into_iter().all(|color| cannot_win(board, color))
        && (board.occupied().count() <= DRAWN_IN_CHECK || !in_check(view))
}

/// A king alone, with one minor piece, or with two knights.
fn cannot_win(board: &Board, color: Color) -> bool {
    let of = |pieces: shakmaty::Bitboard| (pieces & board.by_color(color)).count();
    matches!((of(board.knights()), of(board.bishops())), (0..=2, 0) | (0, 1))
}

fn in_check(view: View<'_>) -> bool {
    let king = view.board.king_of(view.turn);
    king.is_some_and(|king| view.board.attacks_to(king, !view.turn, view.board.occupied()).any())
}
