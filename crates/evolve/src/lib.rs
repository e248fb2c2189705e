//! Evolution (seed 003): chromosomes play, the fitter ones breed, and after many generations one of them plays better chess.
//!
//! ```text
//! population ─► tasks (one game, or some positions) ─► Grid ─► results ─► fitness ─► select, cross, mutate ─► next population
//!                                                                 │
//!                                                                 ▼  a directory: champion-0042.json, metrics.jsonl, report.html
//! ```
//!
//! By default everything is as the seed prints it; what it names as future work is an option ([`Settings`]): weights for three phases,
//! tables that keep their shape, fitness by positions, rivals from the own population and from a hall of fame.
//!
//! **What repeats.** A [`Task`] says everything that decides its result, and nothing else does. Results are put
//! in the order of the population before anything is made of them. So the same settings give the same champion on any number of
//! threads, on any [`Grid`](tabia_grid::Grid), and after any number of interruptions. Nothing here prints, and no clock is read.

pub mod breeding;
pub mod check;
mod chronicle;
mod error;
pub mod exam;
mod files;
pub mod game;
pub mod label;
pub mod pictures;
pub mod positions;
mod report;
mod run;
mod settings;
pub mod task;
mod worker;

pub use breeding::Genes;
pub use chronicle::{Chronicle, Generation};
pub use error::EvolveError;
pub use files::{champion_name, fingerprint_of, read_weights};
pub use report::report;
pub use run::{CHAMPION, Evolution, Outcome, Progress};
pub use settings::{
    BUILT_IN_OPPONENT, Fitness, FounderSettings, GameSettings, OpeningSettings, PositionSettings, SearchKind,
    SearchSettings, Settings, TableRule,
};
pub use task::{Done, Task};
pub use worker::{Worker, on_threads};
