//! Scores inside the search: plain integers in centipawns on the scale of [`tabia_core::Score`].

use tabia_core::Score;

/// A score in centipawns; mates and tablebase results lie beyond the evaluation's range.
pub type Value = i32;

/// The longest line, in plies from the root.
pub const MAX_PLY: usize = 128;

/// Greater than every value.
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

/// A proven win or loss, by mate or by tablebase.
#[inline]
pub const fn is_decisive(value: Value) -> bool {
    value >= TABLEBASE_BOUND || value <= -TABLEBASE_BOUND
}

/// A proven loss.
#[inline]
pub const fn is_lost(value: Value) -> bool {
    value <= -TABLEBASE_BOUND
}

/// A proven win.
#[inline]
pub const fn is_won(value: Value) -> bool {
    value >= TABLEBASE_BOUND
}
