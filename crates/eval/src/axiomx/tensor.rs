//! The board as seed 000 §3.1.1 lays it out: 8×8×13.

use shakmaty::{Color, Role};

use crate::view::View;

/// Rows from rank 8, columns from file a, then channels: White's pawn, knight, bishop, rook, queen, king; Black's;
/// and whether anything stands there.
pub type Tensor = [[[f32; CHANNELS]; 8]; 8];

/// Channels of the tensor.
pub const CHANNELS: usize = 13;

/// The channel of occupied squares.
pub const OCCUPIED: usize = 12;

/// The channel of a side's pieces of a role.
pub const fn channel(color: Color, role: Role) -> usize {
    let of_role = role as usize - Role::Pawn as usize;
    match color {
        Color::White => of_role,
        Color::Black => of_role + 6,
    }
}

/// Ones where pieces stand, zeros elsewhere.
pub fn tensor(view: View<'_>) -> Tensor {
    let mut tensor = [[[0.0; CHANNELS]; 8]; 8];
    for (square, piece) in view.board {
        let here = &mut tensor[7 - square.rank() as usize][square.file() as usize];
        here[channel(piece.color, piece.role)] = 1.0;
        here[OCCUPIED] = 1.0;
    }
    tensor
}
