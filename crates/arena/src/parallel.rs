//! Parallel map over items, with results in their order.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Available parallelism of the machine.
pub fn all_cores() -> NonZero<usize> {
    thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// Maps every item on several threads.
pub fn map<T: Sync, R: Send>(items: &[T], threads: NonZero<usize>, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(item)));
        }
    };
    let helpers = threads.get().min(items.len()).saturating_sub(1);
    let mut done = thread::scope(|scope| {
        // Without another thread the existing ones do the work.
        let running: Vec<_> =
            (0..helpers).filter_map(|_| thread::Builder::new().spawn_scoped(scope, take).ok()).collect();
        let mut done = take();
        for helper in running {
            done.extend(helper.join().expect("work does not panic"));
        }
        done
    });
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        let expected: Vec<u64> = items.iter().map(|n| n * n).collect();
        for threads in [1, 2, 7] {
            assert_eq!(map(&items, NonZero::new(threads).unwrap(), |n| n * n), expected);
        }
        assert!(map(&[0u8; 0], NonZero::<usize>::MIN, |n| *n).is_empty());
    }
}
