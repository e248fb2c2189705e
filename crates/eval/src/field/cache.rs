//! Pawn structures and kings' homes that were counted before.
//!
//! Pawns move seldom, and kings hardly more often, so that most positions of a search share their structure with one
//! just seen. An entry holds the pawns themselves: a hit is never a mistake.

use std::fmt;

use shakmaty::{Bitboard, Board, Square};

use super::Ground;
use super::interplay::Accumulated;
use super::pawns::Structure;
use super::pieces::Mirrors;
use super::sink::Sum;
use super::weights::{Compiled, Pair};

/// Entries: with 224 bytes each, less than a mebibyte.
const ENTRIES: usize = 4096;
/// Odd, and random enough to spread pawns over the entries.
const SPREAD: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f];

/// What a part of the evaluation has come to.
#[derive(Copy, Clone, Debug, Default)]
struct Part {
    total: Pair,
    danger: [i32; 2],
    units: Accumulated,
}

impl Part {
    fn of(weights: &Compiled, count: impl FnOnce(&mut Sum<'_>)) -> Part {
        let mut sum = Sum::new(weights);
        count(&mut sum);
        Part { total: sum.total, danger: sum.danger, units: sum.units }
    }

    #[inline(always)]
    fn add_to(&self, sum: &mut Sum<'_>) {
        sum.total += self.total;
        sum.danger[0] += self.danger[0];
        sum.danger[1] += self.danger[1];
        sum.units.add_all(&self.units);
    }
}

#[derive(Copy, Clone, Debug, Default)]
struct Entry {
    pawns: [Bitboard; 2],
    mirrors: Mirrors,
    /// Where the kings stood whose homes are known, White's and Black's.
    kings: [Option<Square>; 2],
    structures: [Structure; 2],
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
            // The board without pawns is worth nothing, so that an empty entry is a true one.
            self.entries = vec![Entry::default(); ENTRIES];
        }
        let entry = &mut self.entries[index];
        if entry.pawns != ground.pawns || entry.mirrors != mirrors {
            *entry = Entry::new(&ground, sum.weights());
        }
        if entry.kings[0] != Some(ground.kings[0]) {
            entry.find_home::<true>(&ground, sum.weights());
        }
        if entry.kings[1] != Some(ground.kings[1]) {
            entry.find_home::<false>(&ground, sum.weights());
        }
        entry.structure.add_to(sum);
        entry.homes[0].add_to(sum);
        entry.homes[1].add_to(sum);
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

    #[inline(never)]
    fn find_home<const WHITE: bool>(&mut self, ground: &Ground, weights: &Compiled) {
        let side = usize::from(!WHITE);
        self.kings[side] = Some(ground.kings[side]);
        self.homes[side] = Part::of(weights, |sum| ground.count_home::<WHITE, _>(sum));
    }
}
