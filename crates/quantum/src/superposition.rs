//! The normal form of a set of branches: merged, reduced, sorted (rule 2).

use tabia_core::seed;

use crate::branch::Branch;

/// Largest number of branches (rule 6).
pub const MAX_BRANCHES: usize = 1024;
/// Largest sum of the weights (rule 6).
pub const MAX_TOTAL: u64 = 1 << 62;

/// Normalises branches; returns the sum of their weights.
///
/// Branches are sorted by their keys; boards are compared only where keys are equal.
pub(crate) fn normalise(branches: &mut Vec<Branch>) -> u64 {
    if let [only] = branches.as_mut_slice() {
        only.weight = 1;
        return 1;
    }
    sort(branches);
    branches.dedup_by(|later, kept| {
        let same = later.is_same_board(kept);
        if same {
            kept.weight += later.weight;
        }
        same
    });
    let divisor = branches.iter().fold(0, |divisor, branch| common_divisor(branch.weight, divisor));
    let mut total = 0;
    for branch in branches {
        if divisor > 1 {
            branch.weight /= divisor;
        }
        total += branch.weight;
    }
    total
}

/// Branches are large, so keys are sorted first and branches moved once.
fn sort(branches: &mut Vec<Branch>) {
    const FEW: usize = 12;
    if branches.is_sorted_by(|a, b| a.order(b).is_le()) {
        return;
    }
    if branches.len() <= FEW {
        branches.sort_unstable_by(Branch::order);
        return;
    }
    let mut order: Vec<(u64, u32)> =
        branches.iter().enumerate().map(|(at, branch)| (branch.key(), at as u32)).collect();
    order.sort_unstable();
    let mut sorted: Vec<Branch> = order.iter().map(|(_, at)| branches[*at as usize].clone()).collect();
    if order.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        // Equal keys mean equal boards, except with probability 2^-64.
        sorted.sort_by(Branch::order);
    }
    *branches = sorted;
}

/// Euclid's algorithm; `gcd(0, b)` is `b`.
fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 1 {
        (a, b) = (b, a % b);
    }
    if b == 1 { 1 } else { a }
}

/// A hash of a normal form, for repetitions and hash tables.
pub(crate) fn key(branches: &[Branch]) -> u64 {
    // A sum, so that the order does not matter; every summand is mixed first.
    branches.iter().fold(0u64, |key, branch| key.wrapping_add(seed::derive(branch.key(), branch.weight)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::castling::Castling;
    use shakmaty::Board;

    #[test]
    fn common_divisors_are_right() {
        for (a, b, expected) in [(6, 0, 6), (6, 4, 2), (4, 6, 2), (7, 3, 1), (1, 9, 1), (9, 1, 1), (8, 8, 8)]
        {
            assert_eq!(common_divisor(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn equal_boards_merge_and_weights_are_reduced() {
        let branch = |castling, weight| Branch::new(Board::new(), castling, None, weight);
        let mut branches: Vec<Branch> =
            (0..40).map(|at| branch(if at % 2 == 0 { Castling::ALL } else { Castling::NONE }, 6)).collect();
        assert_eq!(normalise(&mut branches), 2);
        assert_eq!(branches.iter().map(Branch::weight).collect::<Vec<_>>(), [1, 1]);
        assert!(branches[0].key() < branches[1].key());
    }
}
