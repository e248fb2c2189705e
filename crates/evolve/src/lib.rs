//! A genetic algorithm for evaluation weights (seed 003).
//!
//! ```text
//! population ─► tasks (one game, or some positions) ─► Grid ─► results ─► fitness ─► select, cross, mutate ─► next population
//!                                                                 │
//!                                                                 ▼  a directory: champion-0042.json, metrics.jsonl, report.html
//! ```
//!
//! The defaults are the seed's; what it names as future work is an option ([`Settings`]): weights for three phases,
//! tables that keep their shape, fitness by positions, rivals from the own population and from a hall of fame.
//!
//! **Reproducibility.** A [`Task`] holds everything that determines its result. Results are put in the order of the population before
//! they are used. The same settings therefore give the same champion on any number of threads, on any [`Grid`](tabia_grid::Grid), and
//! after any number of interruptions.

pub mod check;
mod error;
pub mod exam;
mod executor;
mod files;
pub mod game;
mod history;
pub mod label;
pub mod operators;
pub mod plots;
pub mod positions;
mod report;
mod run;
mod settings;
pub mod task;

pub use error::EvolveError;
pub use executor::{TaskExecutor, local_grid};
pub use files::{champion_name, file_sha256, read_weights};
pub use history::{Generation, History};
pub use operators::Genes;
pub use report::report;
pub use run::{CHAMPION, Evolution, Outcome, Progress};
pub use settings::{
    BUILT_IN_OPPONENT, Fitness, FounderSettings, GameSettings, OpeningSettings, PositionSettings, SearchKind,
    SearchSettings, Settings, TableRule,
};
pub use task::{Task, TaskResult};
