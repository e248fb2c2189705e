//! Pawn structures and kings' homes that were counted before.
//!
//! Pawns move seldom, and kings hardly more often, so that most positions of a search share their structure with one
//! just seen. An entry holds the pawns themselves: a hit is never a mistake.

use std::fmt;

use shakmaty::{Bitboard, Board, Square};

use super::Ground;
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
    /// Where the kings stood whose homes are known, White's and Black's.
    kings: [Option<Square>; 2],
    structures: [Structure; 2],
    /// What pawns and kings come to.
    whole: Part,
    structure: Part,
    homes: [Part; 2],
}

/// Remembers pawn structures, and the kings' homes in them. A copy begins empty.
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
        let ground = Ground::of(board);
        let mirrors = ground.mirrors();
        let [white, black] = ground.pawns;
        let key = white.0.wrapping_mul(SPREAD[0]) ^ black.0.wrapping_mul(SPREAD[1]);
        let index = ((key >> 40) as usize ^ mirrors.index()) % ENTRIES;
        if self.entries.is_empty() {
            // No board is full of pawns, so that an empty entry is never taken for a true one.
            let empty = Entry { pawns: [Bitboard::FULL; 2], ..Entry::default() };
            self.entries = vec![empty; ENTRIES];
        }
        let entry = &mut self.entries[index];
        if entry.pawns != ground.pawns || entry.mirrors != mirrors {
            *entry = Entry::new(&ground, sum.weights());
        }
        if entry.kings != ground.kings.map(Some) {
            entry.find_homes(&ground, sum.weights());
        }
        sum.part += &entry.whole;
        entry.structures
    }
}

impl Entry {
    #[inline(never)]
    fn new(ground: &Ground, weights: &Compiled) -> Entry {
        let mut entry = Entry { pawns: ground.pawns, mirrors: ground.mirrors(), ..Entry::default() };
        entry.structure = Part::of(weights, |sum| entry.structures = ground.count_pawns(sum));
        entry
    }

    /// Finds the homes of kings that have moved.
    #[inline(never)]
    fn find_homes(&mut self, ground: &Ground, weights: &Compiled) {
        let kings = ground.kings.map(Some);
        if self.kings[0] != kings[0] {
            self.homes[0] = Part::of(weights, |sum| ground.count_home::<true, _>(sum));
        }
        if self.kings[1] != kings[1] {
            self.homes[1] = Part::of(weights, |sum| ground.count_home::<false, _>(sum));
        }
        self.kings = kings;
        self.whole = self.structure;
        self.whole += &self.homes[0];
        self.whole += &self.homes[1];
    }
}
