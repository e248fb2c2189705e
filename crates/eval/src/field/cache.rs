//! Pawn structures and kings' kings_sums that were counted before.
//!
//! Pawns move seldom, and kings hardly more often, so that most positions of a search share their structure with one
//! just seen. An entry holds the pawns themselves: a hit is never a mistake.

use std::fmt;

use shakmaty::{Bitboard, Board, Square};

use super::PawnsAndKings;
use super::pawns::Structure;
use super::pieces::Mirrors;
use super::sink::{Part, Sum};
use super::weights::Compiled;

/// Entries: with some 400 bytes each, a mebibyte and a half.
const ENTRIES: usize = 4096;
/// Odd, and random enough to spread pawns over the entries.
const SPREAD: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f];

#[derive(Copy, Clone, Debug, Default)]
struct Entry {
    pawns: [Bitboard; 2],
    mirrors: Mirrors,
    /// Where the kings stood whose kings_sums are known, White's and Black's.
    kings: [Option<Square>; 2],
    structures: [Structure; 2],
    /// What pawns and kings come to.
    whole: Part,
    structure: Part,
    kings_sums: [Part; 2],
}

/// Remembers pawn structures, and the kings' kings_sums in them. A copy begins empty.
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
    /// Adds to a sum what pawns and kings alone are worth, and gives back the structure of the pawns.
    #[inline(always)]
    pub fn get(&mut self, board: &Board, sum: &mut Sum<'_>) -> [Structure; 2] {
        let pawns_and_kings = PawnsAndKings::of(board);
        let mirrors = pawns_and_kings.mirrors();
        let [white, black] = pawns_and_kings.pawns;
        let key = white.0.wrapping_mul(SPREAD[0]) ^ black.0.wrapping_mul(SPREAD[1]);
        let index = ((key >> 40) as usize ^ mirrors.index()) % ENTRIES;
        if self.entries.is_empty() {
            // No board is full of pawns, so that an empty entry is never taken for a true one.
            let empty = Entry { pawns: [Bitboard::FULL; 2], ..Entry::default() };
            self.entries = vec![empty; ENTRIES];
        }
        let entry = &mut self.entries[index];
        if entry.pawns != pawns_and_kings.pawns || entry.mirrors != mirrors {
            *entry = Entry::new(&pawns_and_kings, sum.weights());
        }
        if entry.kings != pawns_and_kings.kings.map(Some) {
            entry.update_kings(&pawns_and_kings, sum.weights());
        }
        sum.part += &entry.whole;
        entry.structures
    }
}

impl Entry {
    #[inline(never)]
    fn new(pawns_and_kings: &PawnsAndKings, weights: &Compiled) -> Entry {
        let mut entry =
            Entry { pawns: pawns_and_kings.pawns, mirrors: pawns_and_kings.mirrors(), ..Entry::default() };
        entry.structure = Part::of(weights, |sum| entry.structures = pawns_and_kings.count_pawns(sum));
        entry
    }

    /// Finds the kings_sums of kings that have moved.
    #[inline(never)]
    fn update_kings(&mut self, pawns_and_kings: &PawnsAndKings, weights: &Compiled) {
        let kings = pawns_and_kings.kings.map(Some);
        if self.kings[0] != kings[0] {
            self.kings_sums[0] = Part::of(weights, |sum| pawns_and_kings.count_king::<true, _>(sum));
        }
        if self.kings[1] != kings[1] {
            self.kings_sums[1] = Part::of(weights, |sum| pawns_and_kings.count_king::<false, _>(sum));
        }
        self.kings = kings;
        self.whole = self.structure;
        self.whole += &self.kings_sums[0];
        self.whole += &self.kings_sums[1];
    }
}
