//! Material: Table I of seed 002, 100, 300, 300, 500, 900.

use shakmaty::Role;

/// Table I, the column of Axon 2024, in centipawns. Each side has one king, so it is not counted.
pub const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 300,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// Value of so many knights and bishops, rooks and queens.
#[inline]
pub(super) fn pieces(minors: usize, rooks: usize, queens: usize) -> i32 {
    minors as i32 * value(Role::Knight)
        + rooks as i32 * value(Role::Rook)
        + queens as i32 * value(Role::Queen)
}
