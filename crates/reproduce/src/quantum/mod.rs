//! Seed 004: what the network is made of, what it sees and what it may answer, how fast games are, and how it learns.

mod encoding;
mod learning;
mod parameters;
mod throughput;

use crate::step::{Seed, Step};

/// The steps of this seed.
pub const STEPS: &[Step] = &[
    Step {
        seed: Seed::Quantum,
        name: "parameters",
        title: "Parameters of the network",
        section: "Table 2",
        seconds: [0.1, 0.1],
        run: parameters::run,
    },
    Step {
        seed: Seed::Quantum,
        name: "encoding",
        title: "Planes and actions",
        section: "§3, §4.1, §9",
        seconds: [1.0, 10.0],
        run: encoding::run,
    },
    Step {
        seed: Seed::Quantum,
        name: "throughput",
        title: "Games and simulations",
        section: "§5, §6.4",
        seconds: [20.0, 300.0],
        run: throughput::run,
    },
    Step {
        seed: Seed::Quantum,
        name: "learning",
        title: "The learning curve",
        section: "§6, §8.2",
        seconds: [0.1, 0.1],
        run: learning::run,
    },
];
