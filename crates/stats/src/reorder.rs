//! Putting back in order what ends out of turn.
//!
//! Pairs played at the same time end in any order, and short games end first. A test that looked at them as they end
//! would decide differently with another number of threads, and would favour quick wins. It looks at them in the
//! order in which they were set up instead: at every moment, at the longest unbroken row from the first.

use std::collections::BTreeMap;

/// Gives back numbered things in the order of their numbers, from 0 on, each as soon as all before it are there.
///
/// ```
/// use tabia_stats::ReorderBuffer;
///
/// let mut buffer = ReorderBuffer::new();
/// assert!(buffer.add(1, "second").is_empty());
/// assert_eq!(buffer.add(0, "first"), ["first", "second"]);
/// ```
#[derive(Clone, Debug)]
pub struct ReorderBuffer<T> {
    next: u64,
    waiting: BTreeMap<u64, T>,
}

impl<T> ReorderBuffer<T> {
    /// Nothing yet; number 0 comes first.
    pub const fn new() -> ReorderBuffer<T> {
        ReorderBuffer { next: 0, waiting: BTreeMap::new() }
    }

    /// Takes one thing in, and gives back those whose turn has come: often none, sometimes many. A number that was
    /// taken before is ignored.
    pub fn add(&mut self, number: u64, thing: T) -> Vec<T> {
        if number >= self.next {
            self.waiting.entry(number).or_insert(thing);
        }
        let mut ready = Vec::new();
        while let Some(thing) = self.waiting.remove(&self.next) {
            ready.push(thing);
            self.next += 1;
        }
        ready
    }

    /// How many were given back: the number of the one waited for.
    pub const fn released(&self) -> u64 {
        self.next
    }

    /// How many are held back.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

impl<T> Default for ReorderBuffer<T> {
    fn default() -> ReorderBuffer<T> {
        ReorderBuffer::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn things_wait_for_those_before_them() {
        let mut order = ReorderBuffer::new();
        assert_eq!(order.add(2, 'c'), [] as [char; 0]);
        assert_eq!(order.add(0, 'a'), ['a']);
        assert_eq!((order.released(), order.waiting()), (1, 1));
        assert_eq!(order.add(1, 'b'), ['b', 'c']);
        assert_eq!(order.add(1, 'x'), [] as [char; 0]);
        assert_eq!((order.released(), order.waiting()), (3, 0));
    }

    proptest! {
        #[test]
        fn any_order_in_is_one_order_out(numbers in Just((0..50).collect::<Vec<u64>>()).prop_shuffle()) {
            let mut order = ReorderBuffer::new();
            let out: Vec<u64> = numbers.into_iter().flat_map(|number| order.add(number, number)).collect();
            prop_assert_eq!(out, (0..50).collect::<Vec<_>>());
        }
    }
}
