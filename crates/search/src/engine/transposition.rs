//! The transposition table, shared by all threads without locks.
//!
//! An entry is two 64-bit words: the data, and the key XORed with the data (Hyatt's lockless hashing). An entry torn by
//! two simultaneous writers does not match its key and is not found. Four entries form a cluster of one cache line. When a
//! cluster is full, the entry with the lowest depth minus age is replaced.

use std::sync::atomic::{AtomicU64, Ordering};

use super::moves::Move;
use super::prefetch::prefetch;
use super::value::{MATE_BOUND, MAX_PLY, TABLEBASE_BOUND, Value};
use tabia_core::Bound;

const ENTRIES: usize = 4;
const CLUSTER_BYTES: usize = 64;
/// Generations are counted modulo this.
const AGES: u8 = 32;
/// Plies of depth that an entry loses in replacement for each generation of age.
const AGE_WEIGHT: i32 = 4;

#[derive(Default)]
#[repr(align(64))]
struct Cluster([Slot; ENTRIES]);

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, or [`Move::NONE`].
    pub mv: Move,
    /// For the side to move; mates are counted from the root outside the table and from the position inside it.
    pub value: Value,
    /// The static evaluation before correction; `None` in check.
    pub evaluation: Option<Value>,
    pub depth: i32,
    pub bound: Bound,
    /// Whether it was ever a PV node.
    pub pv: bool,
}

/// An entry of the same position that is deeper by more than this is kept.
const MUCH_DEEPER: i32 = 4;
/// Marks a missing evaluation.
const NO_EVALUATION: i16 = i16::MIN;
/// Bounds as two bits; zero is an empty slot.
const UPPER: u64 = 1;
const LOWER: u64 = 2;
const EXACT: u64 = 3;

impl Entry {
    /// Whether the value decides the window `alpha..beta`, provided the entry is deep enough.
    #[inline]
    pub fn allows_cutoff(&self, alpha: Value, beta: Value) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }

    fn pack(&self, age: u8) -> u64 {
        let bound = match self.bound {
            Bound::Upper => UPPER,
            Bound::Lower => LOWER,
            Bound::Exact => EXACT,
        };
        let evaluation = self.evaluation.map_or(NO_EVALUATION, |value| value as i16);
        u64::from(self.mv.bits())
            | u64::from(self.value as i16 as u16) << 16
            | u64::from(evaluation as u16) << 32
            | (self.depth.clamp(0, MAX_PLY as i32) as u64) << 48
            | (bound | u64::from(self.pv) << 2 | u64::from(age) << 3) << 56
    }

    fn unpack(data: u64) -> Entry {
        let evaluation = (data >> 32) as u16 as i16;
        Entry {
            mv: Move::from_bits(data as u16),
            value: Value::from((data >> 16) as u16 as i16),
            evaluation: (evaluation != NO_EVALUATION).then_some(Value::from(evaluation)),
            depth: i32::from((data >> 48) as u8),
            bound: match bound_bits(data) {
                EXACT => Bound::Exact,
                LOWER => Bound::Lower,
                _ => Bound::Upper,
            },
            pv: data >> 58 & 1 == 1,
        }
    }
}

fn bound_bits(data: u64) -> u64 {
    data >> 56 & 3
}

fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

/// The system gives no memory for a transposition table of this size.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a transposition table of {megabytes} MiB; choose a smaller `Hash`")]
pub struct TableTooLarge {
    pub megabytes: usize,
}

pub struct TranspositionTable {
    clusters: Vec<Cluster>,
    age: u8,
}

impl TranspositionTable {
    /// A table of about this many mebibytes, at least one.
    pub fn new(megabytes: usize) -> Result<TranspositionTable, TableTooLarge> {
        let mut table = TranspositionTable { clusters: Vec::new(), age: 0 };
        table.resize(megabytes)?;
        Ok(table)
    }

    /// Changes the size and clears the table. If there is no memory for the new size, the table stays as it was.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), TableTooLarge> {
        let too_large = TableTooLarge { megabytes };
        let bytes = megabytes.max(1).checked_mul(1024 * 1024).ok_or(too_large)?;
        let count = (bytes / CLUSTER_BYTES).max(1);
        let mut clusters: Vec<Cluster> = Vec::new();
        clusters.try_reserve_exact(count).map_err(|_| too_large)?;
        // Reserved pages cost nothing until they are written, so both tables are never in memory at once.
        self.clusters = Vec::new();
        super::huge_pages::request(clusters.spare_capacity_mut());
        clusters.resize_with(count, Cluster::default);
        *self = TranspositionTable { clusters, age: 0 };
        Ok(())
    }

    /// Clears the table on several threads.
    pub fn clear(&mut self, threads: usize) {
        self.age = 0;
        let share = self.clusters.len().div_ceil(threads.max(1));
        std::thread::scope(|scope| {
            for part in self.clusters.chunks_mut(share) {
                scope.spawn(move || part.fill_with(Cluster::default));
            }
        });
    }

    /// Starts a new generation: older entries are replaced sooner.
    pub fn new_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// Prefetches a position's cluster.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// The entry of a position `ply` half-moves from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key && bound_bits(data) != 0 {
                let mut entry = Entry::unpack(data);
                entry.value = from_table(entry.value, ply);
                return Some(entry);
            }
        }
        None
    }

    /// Stores a position. The old move is kept when there is no new one; a much deeper entry of this generation is kept
    /// unless the new value is exact.
    pub fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        entry.value = to_table(entry.value, ply);
        let mut victim: Option<(&Slot, i32)> = None;
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            let known = slot.check.load(Ordering::Relaxed) ^ data == key && bound_bits(data) != 0;
            if known {
                let old = Entry::unpack(data);
                if entry.mv.is_none() {
                    entry.mv = old.mv;
                }
                let keep = entry.bound != Bound::Exact
                    && age_of(data) == self.age
                    && entry.depth + MUCH_DEEPER < old.depth;
                if keep {
                    return;
                }
                return self.write(slot, key, &entry);
            }
            let worth = if bound_bits(data) == 0 {
                i32::MIN
            } else {
                let age = i32::from((AGES + self.age - age_of(data)) % AGES);
                i32::from((data >> 48) as u8) - AGE_WEIGHT * age
            };
            if victim.is_none_or(|(_, least)| worth < least) {
                victim = Some((slot, worth));
            }
        }
        if let Some((slot, _)) = victim {
            self.write(slot, key, &entry);
        }
    }

    #[inline]
    fn write(&self, slot: &Slot, key: u64, entry: &Entry) {
        let data = entry.pack(self.age);
        slot.data.store(data, Ordering::Relaxed);
        slot.check.store(key ^ data, Ordering::Relaxed);
    }

    /// Occupancy by entries of this generation in permille, from a sample (UCI's `hashfull`).
    pub fn permille_full(&self) -> u32 {
        const SAMPLE: usize = 250;
        let sample = &self.clusters[..SAMPLE.min(self.clusters.len())];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.0)
            .map(|slot| slot.data.load(Ordering::Relaxed))
            .filter(|data| bound_bits(*data) != 0 && age_of(*data) == self.age)
            .count();
        (used * 1000 / (sample.len() * ENTRIES)) as u32
    }
}

/// Mate and tablebase values are stored relative to the position, not to the root.
#[inline]
fn to_table(value: Value, ply: usize) -> Value {
    if value >= TABLEBASE_BOUND {
        value + ply as Value
    } else if value <= -TABLEBASE_BOUND {
        value - ply as Value
    } else {
        value
    }
}

#[inline]
fn from_table(value: Value, ply: usize) -> Value {
    if value >= MATE_BOUND {
        value - ply as Value
    } else if value <= -MATE_BOUND {
        value + ply as Value
    } else if value >= TABLEBASE_BOUND {
        (value - ply as Value).max(TABLEBASE_BOUND)
    } else if value <= -TABLEBASE_BOUND {
        (value + ply as Value).min(-TABLEBASE_BOUND)
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::Square;

    fn entry(depth: i32, value: Value, bound: Bound) -> Entry {
        Entry {
            mv: Move::normal(Square::E2, Square::E4),
            value,
            evaluation: Some(-37),
            depth,
            bound,
            pv: true,
        }
    }

    proptest! {
        #[test]
        fn what_is_stored_is_found(
            key in 1u64.., depth in 0i32..100, value in -28_000i32..28_000, evaluation in proptest::option::of(-500i32..500),
            bound in prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)], pv: bool, bits in 1u16..,
        ) {
            let table = TranspositionTable::new(1).unwrap();
            let entry = Entry { mv: Move::from_bits(bits), value, evaluation, depth, bound, pv };
            table.store(key, 7, entry);
            prop_assert_eq!(table.probe(key, 7), Some(entry));
            prop_assert_eq!(table.probe(key ^ 1, 7), None);
        }
    }

    #[test]
    fn mates_are_counted_from_the_position() {
        let table = TranspositionTable::new(1).unwrap();
        let mate_at_ply_9 = super::super::value::mate_in(9);
        table.store(5, 4, entry(3, mate_at_ply_9, Bound::Exact));
        // Reached two plies earlier, the same position mates two plies earlier.
        assert_eq!(table.probe(5, 2).unwrap().value, super::super::value::mate_in(7));
    }

    #[test]
    fn the_oldest_and_shallowest_entry_makes_room() {
        let mut table = TranspositionTable::new(1).unwrap();
        let keys: Vec<u64> = (1..=4).collect(); // all in the first cluster
        for key in &keys {
            table.store(*key, 0, entry(10 + *key as i32, 0, Bound::Lower));
        }
        table.store(9, 0, entry(1, 0, Bound::Lower));
        assert!(table.probe(1, 0).is_none() && table.probe(2, 0).is_some());
        for _ in 0..8 {
            table.new_search();
        }
        table.store(9, 0, entry(1, 0, Bound::Lower));
        table.store(10, 0, entry(1, 0, Bound::Lower));
        assert!(table.probe(2, 0).is_none(), "an old deep entry gives way to a new shallow one");
        assert!(table.probe(9, 0).is_some());
    }

    #[test]
    fn a_new_entry_without_a_move_keeps_the_old_move() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(3, 0, entry(5, 1, Bound::Lower));
        table.store(3, 0, Entry { mv: Move::NONE, ..entry(6, 2, Bound::Upper) });
        let found = table.probe(3, 0).unwrap();
        assert_eq!((found.mv, found.value), (entry(0, 0, Bound::Exact).mv, 2));
    }

    #[test]
    fn clearing_forgets_and_fullness_counts_this_search() {
        let mut table = TranspositionTable::new(1).unwrap();
        for key in 0..20_000u64 {
            table.store(key.wrapping_mul(0x9e37_79b9_7f4a_7c15), 0, entry(1, 0, Bound::Exact));
        }
        assert!(table.permille_full() > 100);
        table.new_search();
        assert_eq!(table.permille_full(), 0);
        table.clear(2);
        assert!(table.probe(0x9e37_79b9_7f4a_7c15, 0).is_none());
    }

    #[test]
    fn a_table_that_does_not_fit_leaves_the_old_one() {
        let mut table = TranspositionTable::new(1).unwrap();
        let entry =
            Entry { mv: Move::NONE, value: 7, evaluation: None, depth: 3, bound: Bound::Exact, pv: false };
        table.store(99, 0, entry);
        for megabytes in [usize::MAX >> 20, usize::MAX] {
            assert_eq!(table.resize(megabytes), Err(TableTooLarge { megabytes }));
            assert_eq!(table.probe(99, 0), Some(entry));
        }
        table.resize(2).unwrap();
        assert_eq!(table.probe(99, 0), None);
    }
}
