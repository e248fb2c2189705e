//! A piece as a small number, so that it can index tables and fill a mailbox.

use shakmaty::{Color, Piece, Role};

/// How many kinds of piece there are, colours counted.
pub const PIECES: usize = 12;

/// White pawn 0 to white king 5, black pawn 6 to black king 11; 12 is an empty square.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PieceCode(u8);

impl PieceCode {
    pub const EMPTY: PieceCode = PieceCode(PIECES as u8);

    /// The code of a piece.
    #[inline]
    pub const fn new(color: Color, role: Role) -> PieceCode {
        let base = match color {
            Color::White => 0,
            Color::Black => 6,
        };
        PieceCode(base + role as u8 - 1)
    }

    /// As an index; empty squares are [`PIECES`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether the square is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == PIECES as u8
    }

    /// The kind of a piece as an index, pawn 0 to king 5, whatever its colour.
    #[inline]
    pub const fn kind(self) -> usize {
        (if self.0 >= 6 { self.0 - 6 } else { self.0 }) as usize
    }

    /// What kind of piece, if any.
    #[inline]
    pub const fn role(self) -> Option<Role> {
        const ROLES: [Option<Role>; 16] = {
            let mut roles = [None; 16];
            let mut index = 0;
            while index < 6 {
                roles[index] = Some(Role::ALL[index]);
                roles[index + 6] = Some(Role::ALL[index]);
                index += 1;
            }
            roles
        };
        ROLES[(self.0 & 15) as usize]
    }

    /// The piece, if any.
    #[inline]
    pub fn piece(self) -> Option<Piece> {
        let color = if self.0 < 6 { Color::White } else { Color::Black };
        self.role().map(|role| Piece { color, role })
    }
}
