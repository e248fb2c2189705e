//! A reorder buffer for results that arrive out of order.
//!
//! Pairs played concurrently finish in any order, and short games finish first. A test that counted them as they finish
//! would depend on the number of threads and favour quick wins. It counts them in the order in which they were started
//! instead.

use std::collections::BTreeMap;

/// Releases numbered items in order, from 0 on, each as soon as all before it have arrived.
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
    pub const fn new() -> ReorderBuffer<T> {
        ReorderBuffer { next: 0, waiting: BTreeMap::new() }
    }

    /// Adds an item and returns those that can be released, often none. A number that was added before is ignored.
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

    /// Number of released items, which is the number of the item waited for.
    pub const fn released(&self) -> u64 {
        self.next
    }

    /// Number of items held back.
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
