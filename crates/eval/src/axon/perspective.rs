//! The board from one side's perspective: its own first rank at the bottom, whatever its colour.
//!
//! Features are written once, for a side that plays up the board; Black's board is flipped first. So both colours are
//! counted in exactly the same way.

use shakmaty::{Bitboard, Board, Color, Role, Square};

use super::material;

/// One side's pieces.
#[derive(Copy, Clone, Debug)]
pub struct Side {
    pub occupied: Bitboard,
    pub pawns: Bitboard,
    pub knights: Bitboard,
    pub bishops: Bitboard,
    pub rooks: Bitboard,
    pub queens: Bitboard,
    pub king: Bitboard,
    /// Value of its pieces without pawns, in centipawns.
    pub pieces: i32,
}

impl Side {
    /// The pieces of a colour.
    #[inline]
    pub fn of(board: &Board, color: Color) -> Side {
        let occupied = board.by_color(color);
        let mut side = Side {
            occupied,
            pawns: board.pawns() & occupied,
            knights: board.knights() & occupied,
            bishops: board.bishops() & occupied,
            rooks: board.rooks() & occupied,
            queens: board.queens() & occupied,
            king: board.kings() & occupied,
            pieces: 0,
        };
        side.pieces = material::pieces(side.minors().count(), side.rooks.count(), side.queens.count());
        side
    }

    /// The same pieces with ranks flipped.
    #[inline]
    fn turned(&self) -> Side {
        Side {
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

    /// Value of all pieces and pawns.
    #[inline]
    pub fn material(&self) -> i32 {
        self.pieces + self.pawns.count() as i32 * material::value(Role::Pawn)
    }

    /// The king's square; `None` on a board without kings.
    #[inline]
    pub fn king_square(&self) -> Option<Square> {
        self.king.first()
    }
}

/// Both sides' pieces from the perspective of one of them.
#[derive(Copy, Clone, Debug)]
pub struct Perspective {
    /// The side whose perspective it is.
    pub color: Color,
    /// Its own pieces, playing up the board.
    pub own: Side,
    /// The opponent's, playing down.
    pub enemy: Side,
    /// Whether it may still castle.
    pub may_castle: bool,
}

impl Perspective {
    /// The perspective of `color`.
    #[inline]
    pub fn of(color: Color, own: &Side, enemy: &Side, castling: Bitboard) -> Perspective {
        let may_castle = (castling & own.occupied).any();
        match color {
            Color::White => Perspective { color, own: *own, enemy: *enemy, may_castle },
            Color::Black => Perspective { color, own: own.turned(), enemy: enemy.turned(), may_castle },
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
