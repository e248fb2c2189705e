//! Tasks for workers anywhere, through a NATS server with JetStream.
//!
//! | on the server | what |
//! | --- | --- |
//! | stream `TABIA_TASKS`, subjects `tabia.task.v2.SIGNATURE.RUN` | a work queue: a task is there until somebody has done it |
//! | its consumer `workers-v2-SIGNATURE` | leases: a task that nobody acknowledges or reports progress on is handed out again |
//! | stream `TABIA_RESULTS`, subjects `tabia.result.ACCOUNT.RUN` | results, until the coordinator has written them down |
//! | bucket `TABIA_BLOBS` | what tasks share and what is large, under its hash |
//! | subject `tabia.worker.ACCOUNT.ID` | workers tell of themselves; coordinators answer whether they are welcome |
//!
//! **What is state.** The coordinator's ledger alone. The server holds nothing that could not be lost: a coordinator that is started again
//! takes the results that wait for it, drops what is left of its tasks and asks anew for those that have no result. A key, the
//! hash of a task and of all it depends on, says whose result something is; the ledger counts each once.
//!
//! **What is counted.** The server counts deliveries of a task and tells them to the worker, and a task that was handed out too
//! often is reported by the next worker that gets it rather than done. That needs no advisory, which would be sent once and to whoever happens to listen.
//!
//! **Who is believed.** An account, a user or nkey of the server, is a word of the subjects that its workers publish on, and the
//! server's permissions let nobody else publish there. Some results, chosen with a secret, are compared with those of another account or
//! with the coordinator's own; of an account that is caught nothing counts, and what was counted is computed again.
//!
//! Nothing newer than server 2.9 is used.

mod account;
mod blobs;
mod connection;
mod coordinator;
mod protocol;
mod streams;
mod task_handler;
mod worker;
mod worker_monitor;

pub use connection::{Access, Credentials, Signature};
pub use coordinator::{CoordinatorSettings, Nats, Referee, Secret};
pub use protocol::read_message;
pub use task_handler::{AnyExecutor, TaskHandler, task_handler};
pub use worker::{Event, Worker, WorkerSummary};

const TASKS: &str = "TABIA_TASKS";
const RESULTS: &str = "TABIA_RESULTS";
const BLOBS: &str = "TABIA_BLOBS";
