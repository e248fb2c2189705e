//! A hash table of pawn structures, and of the king terms that depend on pawns and kings alone.
//!
//! Pawns and kings move rarely, so most positions of a search share their structure with one that was just
//! evaluated. An entry stores the pawns themselves, so a hit is never a collision.

use std::fmt;

use shakmaty::{Bitboard, Board, Square};

use super::PawnsAndKings;
use super::pawns::Structure;
use super::pieces::Mirrors;
use super::sink::{Part, Sum};
use super::weights::Compiled;

/// Number of entries. At about 400 bytes each the table takes 1.5 MiB.
const ENTRIES: usize = 4096;
/// Odd multiplier of the multiplicative hash.
const SPREAD: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f];

#[derive(Copy, Clone, Debug, Default)]
struct Entry {
    pawns: [Bitboard; 2],
    mirrors: Mirrors,
    /// Squares of the kings whose terms are stored, White's and Black's.
    kings: [Option<Square>; 2],
    structures: [Structure; 2],
    total: Part,
    structure: Part,
    king_sums: [Part; 2],
}

/// Cache of pawn structures and their king terms. Cloning gives an empty cache.
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
    /// Adds the value of the pawn and king terms to `sum` and returns the pawn structures.
    #[inline(always)]
    pub fn get(&mut self, board: &Board, sum: &mut Sum<'_>) -> [Structure; 2] {
        let pawns_and_kings = PawnsAndKings::of(board);
        let mirrors = pawns_and_kings.mirrors();
        let [white, black] = pawns_and_kings.pawns;
        let key = white.0.wrapping_mul(SPREAD[0]) ^ black.0.wrapping_mul(SPREAD[1]);
        let index = ((key >> 40) as usize ^ mirrors.index()) % ENTRIES;
        if self.entries.is_empty() {
            // No position has pawns on every square, so an empty entry never matches.
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
        sum.part += &entry.total;
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

    /// Recomputes the terms of kings that have moved.
    #[inline(never)]
    fn update_kings(&mut self, pawns_and_kings: &PawnsAndKings, weights: &Compiled) {
        let kings = pawns_and_kings.kings.map(Some);
        if self.kings[0] != kings[0] {
            self.king_sums[0] = Part::of(weights, |sum| pawns_and_kings.count_king::<true, _>(sum));
        }
        if self.kings[1] != kings[1] {
            self.king_sums[1] = Part::of(weights, |sum| pawns_and_kings.count_king::<false, _>(sum));
        }
        self.kings = kings;
        self.total = self.structure;
        self.total += &self.king_sums[0];
        self.total += &self.king_sums[1];
    }
}
