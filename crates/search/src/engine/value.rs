//! Scores as plain numbers inside the search: the raw line of [`tabia_core::Score`], where margins are added and
//! windows compared without ceremony.

use tabia_core::Score;

/// A score as the search computes with it.
pub type Value = i32;

/// Beyond every value.
pub const INFINITE: Value = Score::INFINITE.raw();
/// Mate at the root.
pub const MATE: Value = Score::MATE.raw();
/// At or beyond this lie mates.
pub const MATE_BOUND: Value = Score::MATE_BOUND.raw();
/// A tablebase win at the root.
pub const TABLEBASE_WIN: Value = Score::TABLEBASE_WIN.raw();
/// At or beyond this lie tablebase wins and mates.
pub const TABLEBASE_BOUND: Value = Score::TABLEBASE_BOUND.raw();
/// No evaluation lies beyond this.
pub const EVALUATION_BOUND: Value = Score::EVALUATION_BOUND.raw();

/// Mate `ply` half-moves from the root.
#[inline]
pub const fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// Mated `ply` half-moves from the root.
#[inline]
pub const fn mated_in(ply: usize) -> Value {
    ply as Value - MATE
}

/// Proven won or lost, by mate or by table.
#[inline]
pub const fn is_decisive(value: Value) -> bool {
    value >= TABLEBASE_BOUND || value <= -TABLEBASE_BOUND
}

/// Proven lost.
#[inline]
pub const fn is_lost(value: Value) -> bool {
    value <= -TABLEBASE_BOUND
}

/// Proven won.
#[inline]
pub const fn is_won(value: Value) -> bool {
    value >= TABLEBASE_BOUND
}
