//! Drawn material: Table II (seed 002 §II.B).
//!
//! The thirteen rows of the table, and the same with colours exchanged, are exactly the boards without pawns,
//! rooks and queens on which each side has beside its king nothing, one minor piece, or two knights. They are
//! evaluated as draws wherever they appear in the tree.
//!
//! The seed's two cautions are kept. "If even one pawn is present, a draw must not be evaluated." And "it is
//! necessary to examine whether the side is in check": while the side to move is in check the position is evaluated
//! normally, since it could be a mate. The seed says so of four pieces and more; with fewer there is no mate to miss,
//! and one rule for all rows is simpler.

use shakmaty::{Board, Color};

use crate::view::View;

/// Whether Table II calls the position a draw.
#[inline]
pub fn is_draw(view: View<'_>) -> bool {
    let board = view.board;
    if (board.pawns() | board.rooks_and_queens()).any() {
        return false;
    }
    Color::ALL.into_iter().all(|color| cannot_win(board, color)) && !in_check(view)
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
