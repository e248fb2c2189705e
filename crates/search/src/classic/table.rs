//! The transposition table of seed 000 §4.1: positions already searched, reached again by other moves.
//!
//! A new result replaces an old one of the same position if it was searched at least as deeply. When the table
//! exceeds its size the oldest fifth goes; a position's age runs from when it was first stored. Keys include
//! castling rights and en passant, which the seed's do not.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

use shakmaty::Move;
use tabia_core::{Bound, Score};

use super::window::Window;

/// When the table is full, one in this many entries is dropped.
const DROPPED_PART: usize = 5;

/// What is known of a position.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Entry {
    /// Plies it was searched to.
    pub depth: u32,
    /// Its value for the side to move; mates count from this position.
    pub score: Score,
    /// Whether the value is exact.
    pub bound: Bound,
    /// The best move found, if any.
    pub best: Option<Move>,
}

impl Entry {
    /// The value at a node `ply` half-moves from the root, if this entry settles it.
    pub fn cutoff_score(&self, depth: u32, ply: u16, window: Window) -> Option<Score> {
        let score = from_root(self.score, ply);
        let enough = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        (self.depth >= depth && enough).then_some(score)
    }
}

/// A table that forgets the oldest first.
#[derive(Debug)]
pub struct Table {
    capacity: usize,
    entries: HashMap<u64, Entry, BuildHasherDefault<IdentityHasher>>,
    /// Keys in the order they were first stored.
    by_age: VecDeque<u64>,
}

impl Table {
    /// An empty table that holds `capacity` entries.
    pub fn new(capacity: usize) -> Table {
        Table { capacity, entries: HashMap::default(), by_age: VecDeque::new() }
    }

    /// What is known of a position.
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.entries.get(&key).copied()
    }

    /// Remembers the value of a node `ply` half-moves from the root.
    pub fn store(&mut self, key: u64, ply: u16, entry: Entry) {
        let entry = Entry { score: from_here(entry.score, ply), ..entry };
        match self.entries.get_mut(&key) {
            Some(old) if entry.depth >= old.depth => *old = entry,
            Some(_) => {}
            None => {
                self.entries.insert(key, entry);
                self.by_age.push_back(key);
                if self.entries.len() > self.capacity {
                    self.drop_oldest();
                }
            }
        }
    }

    fn drop_oldest(&mut self) {
        let dropped = (self.capacity / DROPPED_PART).max(1);
        for key in self.by_age.drain(..dropped) {
            self.entries.remove(&key);
        }
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        self.by_age.clear();
    }

    /// The memory it has taken, in bytes: rows of the map, a mark each, and the list of keys.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * (size_of::<(u64, Entry)>() + 1) + self.by_age.capacity() * size_of::<u64>()
    }

    /// How full it is, in thousandths.
    pub fn permille(&self) -> u32 {
        (self.entries.len() * 1000 / self.capacity.max(1)) as u32
    }
}

/// Keys of positions are as random as a hash of them would be.
#[derive(Copy, Clone, Debug, Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Mates in a search count from the root; in the table they count from the position, wherever it stands.
fn from_here(score: Score, ply: u16) -> Score {
    match score.plies_to_mate() {
        Some(plies) => {
            Score::from_raw(score.raw() + if plies > 0 { i32::from(ply) } else { -i32::from(ply) })
        }
        None => score,
    }
}

fn from_root(score: Score, ply: u16) -> Score {
    match score.plies_to_mate() {
        Some(plies) => {
            Score::from_raw(score.raw() - if plies > 0 { i32::from(ply) } else { -i32::from(ply) })
        }
        None => score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u32, score: Score) -> Entry {
        Entry { depth, score, bound: Bound::Exact, best: None }
    }

    #[test]
    fn a_shallower_result_does_not_replace_a_deeper_one() {
        let mut table = Table::new(10);
        table.store(1, 0, entry(3, Score::cp(30)));
        table.store(1, 0, entry(2, Score::cp(20)));
        assert_eq!(table.get(1).unwrap().score, Score::cp(30));
        table.store(1, 0, entry(3, Score::cp(31)));
        assert_eq!(table.get(1).unwrap().score, Score::cp(31));
    }

    #[test]
    fn a_full_table_drops_its_oldest_fifth() {
        let mut table = Table::new(10);
        (0..10).for_each(|key| table.store(key, 0, entry(1, Score::DRAW)));
        assert_eq!(table.permille(), 1000);
        assert!(table.bytes() >= 10 * size_of::<Entry>());
        table.store(10, 0, entry(1, Score::DRAW));
        let kept: Vec<u64> = (0..=10).filter(|key| table.get(*key).is_some()).collect();
        assert_eq!(kept, [2, 3, 4, 5, 6, 7, 8, 9, 10]);
    }

    #[test]
    fn a_mate_is_as_far_from_another_root_as_it_should_be() {
        let mut table = Table::new(10);
        for (stored, found) in [
            (Score::mate_in_plies(5), Score::mate_in_plies(3)),
            (Score::mated_in_plies(6), Score::mated_in_plies(4)),
            (Score::cp(17), Score::cp(17)),
        ] {
            table.store(1, 3, entry(1, stored));
            assert_eq!(table.get(1).unwrap().cutoff_score(1, 1, Window::FULL), Some(found));
        }
    }

    #[test]
    fn bounds_settle_only_what_they_can() {
        let window = Window { alpha: Score::cp(0), beta: Score::cp(50) };
        let cutoff_score =
            |score, bound| Entry { bound, ..entry(2, Score::cp(score)) }.cutoff_score(2, 0, window).is_some();
        assert!(cutoff_score(20, Bound::Exact));
        assert!(cutoff_score(50, Bound::Lower) && !cutoff_score(49, Bound::Lower));
        assert!(cutoff_score(0, Bound::Upper) && !cutoff_score(1, Bound::Upper));
        assert_eq!(
            entry(1, Score::DRAW).cutoff_score(2, 0, window),
            None,
            "it was not searched deeply enough"
        );
    }
}
