//! Pawn structures that were counted before.
//!
//! Pawns move seldom, and kings seldom to the other side of the board, so that most positions of a search share their
//! structure with one just seen. An entry holds the pawns themselves: a hit is never a mistake.

use std::fmt;

use shakmaty::{Bitboard, Board};

use super::count_pawns;
use super::interplay::Accumulated;
use super::mirrors;
use super::pawns::Structure;
use super::pieces::Mirrors;
use super::sink::Sum;
use super::weights::Pair;

/// Entries: with 104 bytes each, less than half a mebibyte.
const ENTRIES: usize = 4096;
/// Odd, and random enough to spread pawns over the entries.
const SPREAD: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f];

#[derive(Copy, Clone, Debug)]
struct Entry {
    white: Bitboard,
    black: Bitboard,
    mirrors: Mirrors,
    structures: [Structure; 2],
    total: Pair,
    units: Accumulated,
}

/// Remembers pawn structures. A copy begins empty.
#[derive(Default)]
pub(super) struct Cache {
    entries: Vec<Entry>,
}

impl Clone for Cache {
    fn clone(&self) -> Cache {
        Cache::default()
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cache({} entries)", self.entries.len())
    }
}

impl Cache {
    /// Adds the pawns' worth to a sum and gives back their structure.
    #[inline(always)]
    pub fn get(&mut self, board: &Board, sum: &mut Sum<'_>) -> [Structure; 2] {
        let (white, black) = (board.pawns() & board.white(), board.pawns() & board.black());
        let mirrors = mirrors(board);
        let key = white.0.wrapping_mul(SPREAD[0]) ^ black.0.wrapping_mul(SPREAD[1]);
        let index = ((key >> 40) as usize ^ mirrors.index()) % ENTRIES;
        if self.entries.is_empty() {
            self.fill();
        }
        let entry = &mut self.entries[index];
        if entry.white != white || entry.black != black || entry.mirrors != mirrors {
            let mut own = Sum::new(sum.weights());
            let structures = count_pawns(board, &mut own);
            *entry = Entry { white, black, mirrors, structures, total: own.total, units: own.units };
        }
        sum.total += entry.total;
        sum.units.add_all(&entry.units);
        entry.structures
    }

    /// Fills all entries with the board without pawns, whose worth is nothing.
    #[cold]
    fn fill(&mut self) {
        let empty = Entry {
            white: Bitboard::EMPTY,
            black: Bitboard::EMPTY,
            mirrors: Mirrors::default(),
            structures: [Structure::default(); 2],
            total: Pair::default(),
            units: Accumulated::default(),
        };
        self.entries = vec![empty; ENTRIES];
    }
}
