//! Seed 000: openings, tactics, positional recognition, cost, pruning, ratings, and the extensions.

mod cost;
mod deeper;
mod engines;
mod extensions;
mod mates;
mod openings;
mod positional;
mod pruning;
mod solving;
mod strength;
mod wins;

use crate::step::{Seed, Step};

/// The steps of this seed.
pub const STEPS: &[Step] = &[
    Step {
        seed: Seed::Axiomx,
        name: "openings",
        title: "Opening moves that agree with masters",
        section: "§9.1",
        seconds: [3.0, 10.0],
        run: openings::run,
    },
    Step {
        seed: Seed::Axiomx,
        name: "mates",
        title: "Mates in two and in three",
        section: "§9.2",
        seconds: [1.0, 2.0],
        run: mates::run,
    },
    Step {
        seed: Seed::Axiomx,
        name: "wins",
        title: "Pieces won within three and five plies",
        section: "§9.2",
        seconds: [1.0, 2.0],
        run: wins::run,
    },
    Step {
        seed: Seed::Axiomx,
        name: "positional",
        title: "What the evaluations recognise",
        section: "§9.3",
        seconds: [0.1, 0.1],
        run: positional::run,
    },
    Step {
        seed: Seed::Axiomx,
        name: "cost",
        title: "Time and memory",
        section: "§2.3, §5.1, §5.4, §6",
        seconds: [1.0, 5.0],
        run: cost::run,
    },
    Step {
        seed: Seed::Axiomx,
        name: "pruning",
        title: "Nodes with and without pruning, and the table",
        section: "§2.3, §5.2, §5.3",
        seconds: [2.0, 2.0],
        run: pruning::run,
    },
    Step {
        seed: Seed::Axiomx,
        name: "rating",
        title: "Ratings",
        section: "§6",
        seconds: [40.0, 800.0],
        run: strength::run,
    },
    Step {
        seed: Seed::Axiomx,
        name: "rating-in-time",
        title: "Ratings at the seed's time of a move",
        section: "§6",
        seconds: [300.0, 3000.0],
        run: deeper::run,
    },
    Step {
        seed: Seed::Axiomx,
        name: "extensions",
        title: "The extensions, on and off",
        section: "§10",
        seconds: [30.0, 400.0],
        run: extensions::run,
    },
];
