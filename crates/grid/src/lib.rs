//! Many small tasks, done on the threads of this machine or by workers anywhere.
//!
//! ```text
//! evolve, match, datagen ── tasks ──► Grid ─┬─ Local: threads of this process
//!        ▲                                  └─ Nats: a JetStream work queue ──► tabia worker, tabia worker, …
//!        └── Ledger: one result at a time ◄─────────── a stream of results ◄──────┘
//! ```
//!
//! A [`Task`] contains everything that determines its result, so that it can be executed anywhere, repeatedly, and in
//! any order. The owner of the tasks is a [`Ledger`]: it receives each result once, validates it and records it. What
//! is recorded is the whole state of a run: a restarted coordinator requests what is missing. Results of an account
//! that is found to give wrong ones are retracted and computed again.
//!
//! This crate knows nothing of chess or of any concrete task, and prints nothing.

mod error;
mod local;
#[cfg(feature = "nats")]
pub mod nats;
mod status;
mod task;

pub use error::{FailedTask, GridError};
pub use local::Local;
pub use status::{Status, WorkerStatus};
pub use task::{EarlierResult, Executor, Grid, Ledger, SharedFiles, Task, Verdict, fingerprint};

/// How often a ledger is called without a result, and the stop flag is checked.
const TICK: std::time::Duration = std::time::Duration::from_millis(100);
