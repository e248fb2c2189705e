//! Many small tasks, done on the threads of this machine or by workers anywhere.
//!
//! ```text
//! evolve, match, datagen ── tasks ──► Grid ─┬─ Local: threads of this process
//!        ▲                                  └─ Nats: a JetStream work queue ──► tabia worker, tabia worker, …
//!        └── Ledger: one result at a time ◄─────────── a stream of results ◄──────┘
//! ```
//!
//! A [`Task`] says everything that decides its result and nothing else does, so that it may be done anywhere, twice, and in
//! any order. Whoever has tasks is a [`Ledger`]: it is handed each result once, judges it, and writes it down. What
//! it has written down is all that is known of a run: a coordinator that is started again asks for what is missing. Results of an
//! account that is caught giving wrong ones are taken back and computed again.
//!
//! What a task *is* is not known here, nor is anything of chess; nothing here prints.

mod error;
mod local;
#[cfg(feature = "nats")]
pub mod nats;
mod status;
mod task;

pub use error::{GridError, SetAside};
pub use local::Local;
pub use status::{Status, WorkerStatus};
pub use task::{EarlierResult, Executor, Grid, Ledger, SharedFiles, Task, Verdict, fingerprint};

/// How often a ledger hears that time has passed, and the flag that ends a run is looked at.
const TICK: std::time::Duration = std::time::Duration::from_millis(100);
