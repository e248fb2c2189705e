//! Seed 002: symmetry, the draw rows and the limit, quiescence against main search, and a rating.

mod draws;
mod quiescence;
mod strength;
mod symmetry;

use crate::step::{Seed, Step};

/// The steps of this seed.
pub const STEPS: &[Step] = &[
    Step {
        seed: Seed::Axon,
        name: "symmetry",
        title: "Symmetry of the evaluation",
        section: "§II",
        seconds: [3.0, 60.0],
        run: symmetry::run,
    },
    Step {
        seed: Seed::Axon,
        name: "draws",
        title: "Values, draw rows, the knight's matrix, Figs. 1 and 2",
        section: "§II, §III, Tables I–III",
        seconds: [0.2, 0.2],
        run: draws::run,
    },
    Step {
        seed: Seed::Axon,
        name: "quiescence",
        title: "Quiescence against main search",
        section: "§I",
        seconds: [2.0, 4.0],
        run: quiescence::run,
    },
    Step {
        seed: Seed::Axon,
        name: "rating",
        title: "What it is worth in games",
        section: "abstract",
        seconds: [60.0, 1200.0],
        run: strength::run,
    },
];
