//! The inputs: a piece on a square, as one side sees it.

use shakmaty::{Board, Color, Piece, Square};

/// Own and enemy, six kinds of pieces, 64 squares.
pub const INPUTS: usize = 768;

/// What a side's squares are exclusive-or'ed with: ranks are counted from its own first rank, and files are mirrored
/// where its king stands on files a to d.
#[inline]
pub fn flip(board: &Board, side: Color) -> u8 {
    let king = (board.kings() & board.by_color(side)).first().unwrap_or(Square::E1);
    let mirror = if (king as u8) & 7 < 4 { 7 } else { 0 };
    side.fold_wb(0, 56) | mirror
}

/// The input of a piece on a square.
#[inline]
pub fn index(side: Color, flip: u8, piece: Piece, square: Square) -> usize {
    let enemy = usize::from(piece.color != side);
    (enemy * 6 + piece.role as usize - 1) * 64 + usize::from(square as u8 ^ flip)
}

/// How a side sees inputs that are given as White sees them with its king on files e to h.
#[derive(Copy, Clone, Debug)]
pub struct Seen {
    pub side: Color,
    pub flip: u8,
}

impl Seen {
    #[inline]
    pub fn index(self, input: u16) -> usize {
        const COLOR: usize = INPUTS / 2;
        let flipped = usize::from(input ^ u16::from(self.flip));
        match self.side {
            Color::White => flipped,
            Color::Black if flipped < COLOR => flipped + COLOR,
            Color::Black => flipped - COLOR,
        }
    }
}
