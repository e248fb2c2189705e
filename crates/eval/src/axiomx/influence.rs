//! Influence fields: every piece adds its kernel to the squares around it.
//!
//! The seed convolves a plane of the tensor with a kernel; that is, each piece *scatters* its kernel as printed,
//! not flipped. Sliders scatter along rays as far as the first occupied square, which still receives its share.

use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

use super::kernel::Kernel;

/// A number for each square, a1 first, in units of [`super::kernel::ONE`].
pub(super) type Units = [i32; 64];

/// King's steps between two squares.
pub(super) static DISTANCE: [[u8; 64]; 64] = {
    let mut distance = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            distance[from as usize][to as usize] = Square::new(from).distance(Square::new(to)) as u8;
            to += 1;
        }
        from += 1;
    }
    distance
};

/// The sixteen squares two king's steps away.
pub(super) static TWO_STEPS: [Bitboard; 64] = {
    let mut rings = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            if DISTANCE[from][to as usize] == 2 {
                rings[from].add_const(Bitboard::from_square(Square::new(to)));
            }
            to += 1;
        }
        from += 1;
    }
    rings
};

/// The attack fields of White and Black: all influence of a side, summed.
#[inline]
pub(super) fn attack(board: &Board, kernel: &Kernel) -> [Units; 2] {
    let mut fields = [[0; 64]; 2];
    scatter(board, kernel, |color, _, square, units| fields[color as usize][usize::from(square)] += units);
    fields
}

/// The same influence kept apart by colour and role.
pub(super) struct Layers([[Units; 6]; 2]);

impl Layers {
    pub fn of(board: &Board, kernel: &Kernel) -> Layers {
        let mut layers = [[[0; 64]; 6]; 2];
        scatter(board, kernel, |color, role, square, units| {
            layers[color as usize][role as usize - Role::Pawn as usize][usize::from(square)] += units;
        });
        Layers(layers)
    }

    /// The field of one side's pieces of one role.
    pub fn get(&self, color: Color, role: Role) -> &Units {
        &self.0[color as usize][role as usize - Role::Pawn as usize]
    }

    /// What [`attack`] gives.
    pub fn attack(&self) -> [Units; 2] {
        [Color::Black, Color::White].map(|color| {
            let mut sum = [0; 64];
            for role in Role::ALL {
                for (all, one) in sum.iter_mut().zip(self.get(color, role)) {
                    *all += one;
                }
            }
            sum
        })
    }
}

/// The part of [`attack`] that pawns have.
pub(super) fn pawn_attack(board: &Board, kernel: &Kernel) -> [Units; 2] {
    let mut fields = [[0; 64]; 2];
    scatter_pawns(board, kernel, |color, square, units| fields[color as usize][usize::from(square)] += units);
    fields
}

/// Calls `add` with every influence on the board: colour, role, square and amount.
#[inline(always)]
pub(super) fn scatter(board: &Board, kernel: &Kernel, mut add: impl FnMut(Color, Role, Square, i32)) {
    scatter_pawns(board, kernel, |color, square, units| add(color, Role::Pawn, square, units));
    scatter_pieces(board, kernel, add);
}

/// The influence of all but pawns.
#[inline(always)]
fn scatter_pieces(board: &Board, kernel: &Kernel, mut add: impl FnMut(Color, Role, Square, i32)) {
    let occupied = board.occupied();
    for color in Color::ALL {
        let own = board.by_color(color);
        let reach = kernel.reach(Role::Knight);
        for from in own & board.knights() {
            add(color, Role::Knight, from, reach[0]);
            for to in attacks::knight_attacks(from) {
                add(color, Role::Knight, to, reach[2]);
            }
        }

        for role in [Role::Bishop, Role::Rook, Role::Queen] {
            let reach = kernel.reach(role);
            for from in own & board.by_role(role) {
                let distance = &DISTANCE[usize::from(from)];
                for to in attacks::attacks(from, role.of(color), occupied) {
                    add(color, role, to, reach[usize::from(distance[usize::from(to)] & 7)]);
                }
            }
        }

        let reach = kernel.reach(Role::King);
        for from in own & board.kings() {
            add(color, Role::King, from, reach[0]);
            for to in attacks::king_attacks(from) {
                add(color, Role::King, to, reach[1]);
            }
            if kernel.king_reaches_far {
                for to in TWO_STEPS[usize::from(from)] {
                    add(color, Role::King, to, reach[2]);
                }
            }
        }
    }
}

/// The influence of pawns.
#[inline(always)]
fn scatter_pawns(board: &Board, kernel: &Kernel, mut add: impl FnMut(Color, Square, i32)) {
    let reach = kernel.reach(Role::Pawn);
    for color in Color::ALL {
        let pawns = board.pawns() & board.by_color(color);
        for from in pawns {
            add(color, from, reach[0]);
            for to in attacks::pawn_attacks(color, from) {
                add(color, to, reach[1]);
            }
        }
        let ahead = pawns.shift(color.fold_wb(8, -8));
        for to in if kernel.push_needs_room { ahead & !board.occupied() } else { ahead } {
            add(color, to, kernel.pawn_push);
        }
    }
}
