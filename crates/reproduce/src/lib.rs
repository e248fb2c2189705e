//! Every figure the seeds state, measured on this machine with our implementation.
//!
//! A seed's claims are taken up in [`Step`]s, one small file each, in a folder for each seed. A step does its measuring and gives
//! [`Figure`]s: the seed's number, ours, the ratio and a verdict in a few words; how it was measured; and pictures. A
//! [`Reproduction`] is a directory in which finished steps are kept, so that it can be taken up again, and [`report`] makes documents of it.
//!
//! ```text
//! seeds ─► steps ─► Work (players, threads, files) ─► Findings ─► step-axiomx-mates.json ─► report.md, report.html, report.json
//! ```
//!
//! **What repeats.** Figures that depend on the machine or on an engine that is itself random say so ([`Figure::timed`]). All
//! others are the same each time, on any number of threads. Nothing here prints, and no date is read.

mod alphabeta;
mod axiomx;
mod axon;
mod error;
mod figure;
mod genetic;
mod playing;
mod positions;
mod quantum;
mod rating;
pub mod report;
mod run;
mod searching;
mod step;
#[cfg(test)]
mod testing;
mod work;

pub use error::ReproduceError;
pub use figure::{Claim, Figure, Verdict, number};
pub use report::Report;
pub use run::{KIND, Origin, Progress, Reproduction, Settings};
pub use step::{Findings, Picture, Record, Seed, Step, steps};
pub use work::{Extent, Inputs, Players, Work};
