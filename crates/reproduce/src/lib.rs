//! Measures the figures that the seeds state with our implementation.
//!
//! A seed's claims are measured in [`Step`]s, one file each, in a folder per seed ([`registry`](steps) lists them). A step returns
//! [`Figure`]s (the seed's value, ours, the ratio and a verdict), a description of the measurement, and plots. A
//! [`Reproduction`] is a directory with the finished steps, so that it can be resumed, and [`report`] writes documents from it.
//!
//! ```text
//! seeds ─► steps ─► StepContext (agents, threads, files) ─► Findings ─► step-axiomx-mates.json ─► report.md, report.html, report.json
//! ```
//!
//! **Reproducibility.** Figures that depend on the machine or on an engine that is itself random are marked ([`Figure::timed`]). All
//! others are the same each time, on any number of threads.

mod alphabeta;
mod axiomx;
mod axon;
mod context;
mod error;
mod figure;
mod games;
mod genetic;
mod positions;
mod quantum;
mod rating;
mod registry;
pub mod report;
mod run;
mod searches;
mod settings;
mod step;
#[cfg(test)]
mod testing;

pub use context::{Extent, Inputs, Players, StepContext};
pub use error::ReproduceError;
pub use figure::{Claim, Figure, Verdict, number};
pub use registry::steps;
pub use report::Report;
pub use run::{KIND, Progress, Reproduction};
pub use settings::{Origin, Settings};
pub use step::{Findings, Plot, Record, Seed, Step};
