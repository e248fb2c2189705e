//! Seed 003: the evolution by games, its fitness, the three tests, and what becomes of the tables.
//!
//! All steps are about the same evolutions, kept in the directories `evolution`, `evolution-2` and so on of the run and gone on
//! with like any other.

mod evolution;
mod exam;
mod fitness;
mod tables;

use crate::step::{Seed, Step};

/// The steps of this seed.
pub const STEPS: &[Step] = &[
    Step {
        seed: Seed::Genetic,
        name: "fitness",
        title: "Fitness by generation",
        section: "§III.B",
        seconds: [20.0, 3000.0],
        run: fitness::run,
    },
    Step {
        seed: Seed::Genetic,
        name: "exam",
        title: "The three tests",
        section: "§IV.B, Fig. 4",
        seconds: [30.0, 1300.0],
        run: exam::run,
    },
    Step {
        seed: Seed::Genetic,
        name: "tables",
        title: "Tables before and after",
        section: "§IV.A, Figs. 5–11",
        seconds: [0.5, 0.5],
        run: tables::run,
    },
];
