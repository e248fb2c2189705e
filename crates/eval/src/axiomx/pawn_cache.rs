//! A cache of what depends on pawns alone: their influence and their structure.
//!
//! Pawns rarely move between neighbouring positions of a search, and these are a fifth of the work of an evaluation.
//! Entries store the squares of the pawns, so a hit gives exactly the score that would be computed.

use shakmaty::{Bitboard, Board, ByColor, Color};

use super::control;
use super::influence::{self, Units};
use super::kernel::Kernel;
use super::options::PassedPawns;
use super::pawns::Pawns;

/// Number of entries, a power of two. A search of a few plies meets about a hundred pawn structures; with 16 entries
/// 30% of the evaluations missed.
const ENTRIES: usize = 256;

/// Multiplier of the Fibonacci hash: 2⁶⁴ divided by the golden ratio.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The pawns of a board, with their influence and structure.
#[derive(Copy, Clone, Debug)]
pub(super) struct PawnEntry {
    squares: ByColor<Bitboard>,
    /// The attack fields of pawns.
    pub attack: [Units; 2],
    pub sums: [i32; 2],
    pub pawns: ByColor<Pawns>,
}

impl PawnEntry {
    fn of(board: &Board, kernel: &Kernel, passed: PassedPawns) -> PawnEntry {
        let attack = influence::pawn_attack(board, kernel);
        PawnEntry {
            squares: squares(board),
            attack,
            sums: [control::sum(&attack[0]), control::sum(&attack[1])],
            pawns: ByColor::new_with(|color| Pawns::of(board, color, passed)),
        }
    }
}

/// The cache. All entries belong to one kernel, in which pawn pushes do not depend on other pieces.
#[derive(Clone, Debug, Default)]
pub(super) struct PawnCache {
    entries: Vec<Option<PawnEntry>>,
}

impl PawnCache {
    /// The entry of a board's pawns, computed if necessary.
    #[inline]
    pub fn get(&mut self, board: &Board, kernel: &Kernel, passed: PassedPawns) -> &PawnEntry {
        if self.entries.is_empty() {
            self.entries.resize(ENTRIES, None);
        }
        let squares = squares(board);
        let mixed = (squares.white.0 ^ squares.black.0.rotate_left(u64::BITS / 2)).wrapping_mul(SPREAD);
        let entry = &mut self.entries[mixed as usize >> (usize::BITS - ENTRIES.ilog2())];
        if entry.as_ref().is_some_and(|kept| kept.squares != squares) {
            *entry = None;
        }
        entry.get_or_insert_with(|| PawnEntry::of(board, kernel, passed))
    }
}

#[inline]
fn squares(board: &Board) -> ByColor<Bitboard> {
    ByColor::new_with(|color: Color| board.pawns() & board.by_color(color))
}
