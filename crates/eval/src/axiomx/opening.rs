//! Opening principles: seed 000 §3.4.

use shakmaty::{Bitboard, Board, Color, File, Rank, Square};

/// Opening features of a side.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Opening {
    /// Pawns on d4, e4, d5, e5.
    pub center_pawns: i32,
    /// Knights off both back ranks.
    pub knights: i32,
    /// Bishops on the third to seventh rank relative to their side.
    pub bishops: i32,
    /// Whether the king stands on the g or c file of its home rank.
    pub castled: bool,
}

impl Opening {
    #[inline]
    pub fn of(board: &Board, color: Color) -> Opening {
        let own = board.by_color(color);
        let from_below = |squares: Bitboard| color.fold_wb(squares, squares.flip_vertical());
        let bishops_at_work = !(Bitboard::BACKRANKS | Bitboard::from_rank(Rank::Second));
        let home = color.fold_wb(Rank::First, Rank::Eighth);
        let castled = [File::C, File::G].map(|file| Square::from_coords(file, home));
        Opening {
            center_pawns: (own & board.pawns() & Bitboard::CENTER).count() as i32,
            knights: (own & board.knights() & !Bitboard::BACKRANKS).count() as i32,
            bishops: (own & board.bishops() & from_below(bishops_at_work)).count() as i32,
            castled: castled.into_iter().any(|square| (own & board.kings()).contains(square)),
        }
    }
}
