//! What the pawns alone decide, kept from one position to the next.
//!
//! From a position to its neighbours in a search most pieces and nearly all pawns stay where they are. The influence
//! of pawns and their structure are a fifth of an evaluation's work, so both are kept for the pawns seen last, by
//! their squares: a position found here is evaluated exactly as if they were computed.

use shakmaty::{Bitboard, Board, ByColor, Color};

use super::control;
use super::influence::{self, Units};
use super::kernel::Kernel;
use super::pawns::Pawns;

/// Places for pawn skeletons: a power of two. A search of a few plies from one position meets a hundred or so; with sixteen
/// places three evaluations in ten found theirs taken.
const PLACES: usize = 256;

/// Spreads the squares of pawns over the places: 2⁶⁴ over the golden ratio.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The pawns of a board, and what follows from them.
#[derive(Copy, Clone, Debug)]
pub(super) struct Skeleton {
    squares: ByColor<Bitboard>,
    /// The attack fields of pawns.
    pub attack: [Units; 2],
    /// Their weighted sums.
    pub sums: [i32; 2],
    /// What the pawns are like.
    pub pawns: ByColor<Pawns>,
}

impl Skeleton {
    fn of(board: &Board, kernel: &Kernel) -> Skeleton {
        let attack = influence::pawn_attack(board, kernel);
        Skeleton {
            squares: squares(board),
            attack,
            sums: [control::sum(&attack[0]), control::sum(&attack[1])],
            pawns: ByColor::new_with(|color| Pawns::of(board, color)),
        }
    }
}

/// Skeletons seen last. All are of one kernel, whose pawns need no room to push: they depend on nothing else.
#[derive(Clone, Debug, Default)]
pub(super) struct Skeletons {
    places: Vec<Option<Skeleton>>,
}

impl Skeletons {
    /// The skeleton of a board.
    #[inline]
    pub fn get(&mut self, board: &Board, kernel: &Kernel) -> &Skeleton {
        if self.places.is_empty() {
            self.places.resize(PLACES, None);
        }
        let squares = squares(board);
        let mixed = (squares.white.0 ^ squares.black.0.rotate_left(u64::BITS / 2)).wrapping_mul(SPREAD);
        let place = &mut self.places[mixed as usize >> (usize::BITS - PLACES.ilog2())];
        if place.as_ref().is_some_and(|kept| kept.squares != squares) {
            *place = None;
        }
        place.get_or_insert_with(|| Skeleton::of(board, kernel))
    }
}

#[inline]
fn squares(board: &Board) -> ByColor<Bitboard> {
    ByColor::new_with(|color: Color| board.pawns() & board.by_color(color))
}
