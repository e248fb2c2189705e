//! The four principles of pawn structure: Algorithms 11 to 14 of seed 003.

use shakmaty::{Bitboard, Color, Rank};

use super::facts::{Facts, east, forward, pawn_attacks, west};

/// Algorithm 11: pawns beyond the first on each file.
pub(super) fn doubled(facts: &Facts<'_>, color: Color) -> i32 {
    let pawns = facts.side(color).pawns;
    let files = whole_files(pawns) & Rank::First;
    pawns.count() as i32 - files.count() as i32
}

/// Algorithm 12: pawns with no friend on either file beside theirs. Each pawn counts, so two isolated pawns
/// on one file are two (the seed's public program counts files; its text loops over pawns).
pub(super) fn isolated(facts: &Facts<'_>, color: Color) -> i32 {
    let pawns = facts.side(color).pawns;
    let files = whole_files(pawns);
    (pawns & !(west(files) | east(files))).count() as i32
}

/// Algorithm 13: how often a pawn guards a pawn. One guarded from both sides counts twice.
pub(super) fn connected(facts: &Facts<'_>, color: Color) -> i32 {
    let pawns = facts.side(color).pawns;
    pawn_attacks(color, pawns).into_iter().map(|guarded| (guarded & pawns).count() as i32).sum()
}

/// Algorithm 14: pawns with no enemy pawn strictly ahead on their own file or the two beside it.
pub(super) fn passed(facts: &Facts<'_>, color: Color) -> i32 {
    let ahead_of_enemies = fill(!color, forward(!color, facts.side(!color).pawns));
    let stopped = ahead_of_enemies | west(ahead_of_enemies) | east(ahead_of_enemies);
    (facts.side(color).pawns & !stopped).count() as i32
}

/// The squares and all squares ahead of them.
fn fill(color: Color, squares: Bitboard) -> Bitboard {
    let doubling = [8, 16, 32];
    doubling.into_iter().fold(squares, |filled, step| filled | filled.shift(color.fold_wb(step, -step)))
}

/// All squares of the files that hold one of these.
fn whole_files(squares: Bitboard) -> Bitboard {
    fill(Color::White, squares) | fill(Color::Black, squares)
}
