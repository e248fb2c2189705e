//! The board as one side sees it: its own first rank at the bottom, whatever its colour.
//!
//! Themes are written once, for a side that plays up the board; Black's board is turned over first. That Black
//! is counted exactly as White is holds by construction.

use shakmaty::{Bitboard, Board, Color, Square};

use super::material;

/// One side's men.
#[derive(Copy, Clone, Debug)]
pub struct Army {
    pub occupied: Bitboard,
    pub pawns: Bitboard,
    pub knights: Bitboard,
    pub bishops: Bitboard,
    pub rooks: Bitboard,
    pub queens: Bitboard,
    pub king: Bitboard,
    /// What its pieces are worth, pawns aside, in centipawns.
    pub pieces: i32,
}

impl Army {
    /// The men of a colour, where they stand.
    #[inline]
    pub fn of(board: &Board, color: Color) -> Army {
        let occupied = board.by_color(color);
        let mut army = Army {
            occupied,
            pawns: board.pawns() & occupied,
            knights: board.knights() & occupied,
            bishops: board.bishops() & occupied,
            rooks: board.rooks() & occupied,
            queens: board.queens() & occupied,
            king: board.kings() & occupied,
            pieces: 0,
        };
        army.pieces = material::pieces(&army);
        army
    }

    /// The same men on the board turned over.
    #[inline]
    fn turned(&self) -> Army {
        Army {
            occupied: self.occupied.flip_vertical(),
            pawns: self.pawns.flip_vertical(),
            knights: self.knights.flip_vertical(),
            bishops: self.bishops.flip_vertical(),
            rooks: self.rooks.flip_vertical(),
            queens: self.queens.flip_vertical(),
            king: self.king.flip_vertical(),
            pieces: self.pieces,
        }
    }

    /// Knights and bishops.
    #[inline]
    pub fn minors(&self) -> Bitboard {
        self.knights | self.bishops
    }

    /// Where the king stands; a board without kings has nowhere.
    #[inline]
    pub fn king_square(&self) -> Option<Square> {
        self.king.first()
    }
}

/// Both armies as one side sees them.
#[derive(Copy, Clone, Debug)]
pub struct Outlook {
    /// Whose view it is.
    pub color: Color,
    /// Its own men, playing up the board.
    pub own: Army,
    /// The opponent's, playing down.
    pub enemy: Army,
    /// Whether it may still castle.
    pub may_castle: bool,
}

impl Outlook {
    /// A side's view of two armies.
    #[inline]
    pub fn of(color: Color, own: &Army, enemy: &Army, castling: Bitboard) -> Outlook {
        let may_castle = (castling & own.occupied).any();
        match color {
            Color::White => Outlook { color, own: *own, enemy: *enemy, may_castle },
            Color::Black => Outlook { color, own: own.turned(), enemy: enemy.turned(), may_castle },
        }
    }

    /// Pieces of both sides in centipawns, pawns aside.
    #[inline]
    pub fn all_pieces(&self) -> i32 {
        self.own.pieces + self.enemy.pieces
    }
}

/// One rank up the board.
#[inline]
pub const fn up(squares: Bitboard) -> Bitboard {
    Bitboard(squares.0 << 8)
}

/// One rank down the board.
#[inline]
pub const fn down(squares: Bitboard) -> Bitboard {
    Bitboard(squares.0 >> 8)
}

/// One file to either side.
#[inline]
pub const fn beside(squares: Bitboard) -> Bitboard {
    let right = (squares.0 & !Bitboard::from_file(shakmaty::File::H).0) << 1;
    let left = (squares.0 & !Bitboard::from_file(shakmaty::File::A).0) >> 1;
    Bitboard(right | left)
}

/// These squares and all above them.
#[inline]
pub const fn upward(squares: Bitboard) -> Bitboard {
    let mut fill = squares.0;
    fill |= fill << 8;
    fill |= fill << 16;
    fill |= fill << 32;
    Bitboard(fill)
}

/// These squares and all below them.
#[inline]
pub const fn downward(squares: Bitboard) -> Bitboard {
    let mut fill = squares.0;
    fill |= fill >> 8;
    fill |= fill >> 16;
    fill |= fill >> 32;
    Bitboard(fill)
}

/// The whole files these squares lie on.
#[inline]
pub const fn files(squares: Bitboard) -> Bitboard {
    Bitboard(upward(squares).0 | downward(squares).0)
}
