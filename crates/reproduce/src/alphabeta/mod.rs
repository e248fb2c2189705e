//! Seed 001: alpha-beta against the random player, evaluations, move ordering, and how it grows with depth.

mod evaluations;
mod ordering;
mod random;
mod scaling;

use crate::step::{Seed, Step};

/// The steps of this seed.
pub const STEPS: &[Step] = &[
    Step {
        seed: Seed::Alphabeta,
        name: "random",
        title: "Against the random player",
        section: "§8.1",
        seconds: [30.0, 200.0],
        run: random::run,
    },
    Step {
        seed: Seed::Alphabeta,
        name: "evaluations",
        title: "Three evaluations against the random player",
        section: "§8.2",
        seconds: [15.0, 90.0],
        run: evaluations::run,
    },
    Step {
        seed: Seed::Alphabeta,
        name: "ordering",
        title: "What move ordering is worth",
        section: "§8.3",
        seconds: [2.0, 2.0],
        run: ordering::run,
    },
    Step {
        seed: Seed::Alphabeta,
        name: "scaling",
        title: "How the search grows with depth",
        section: "§6.2, §8.4",
        seconds: [8.0, 8.0],
        run: scaling::run,
    },
];
