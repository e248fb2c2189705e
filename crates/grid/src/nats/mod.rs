//! Tasks for workers anywhere, through a NATS server with JetStream.
//!
//! | on the server | what |
//! | --- | --- |
//! | stream `TABIA_TASKS`, subjects `tabia.task.v2.SIGNATURE.RUN` | a work queue: a task stays until a worker
//! acknowledges it |
//! | its consumer `workers-v2-SIGNATURE` | leases: a task without acknowledgement or progress report is redelivered |
//! | stream `TABIA_RESULTS`, subjects `tabia.result.ACCOUNT.RUN` | results, until the coordinator has recorded them |
//! | bucket `TABIA_BLOBS` | shared files and large tasks, by hash |
//! | subject `tabia.worker.ACCOUNT.ID` | heartbeats of workers; coordinators reply whether a worker is accepted |
//!
//! **State.** Only the coordinator's ledger. Everything on the server may be lost: a restarted coordinator reads the
//! waiting results, removes its remaining tasks, and publishes those without a result again. A key, the hash of a
//! task and of everything it depends on, identifies a result; the ledger counts each key once.
//!
//! **Delivery counts.** The server counts deliveries of a task and passes the count to the worker. A task that was
//! delivered too often is reported as failed by the next worker instead of executed. This does not rely on JetStream
//! advisories, which are sent once and may be missed.
//!
//! **Trust.** An account, which is a user or nkey of the server, is a token of the subjects that its workers publish
//! on, and the server's permissions let no other account publish there. Some results, selected with a secret, are
//! compared with those of another account or of the coordinator. A distrusted account is ignored, and its counted
//! results are computed again.
//!
//! Requires server 2.9 or later.

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
