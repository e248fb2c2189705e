//! Errors of the grid.

use std::fmt;
use std::io;

/// A task that was set aside after too many failed attempts.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FailedTask {
    pub id: String,
    /// The last error.
    pub why: String,
}

impl fmt::Display for FailedTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.id, self.why)
    }
}

/// Largest number of such tasks in a message.
const NAMED: usize = 10;

fn named(tasks: &[FailedTask]) -> String {
    let names: Vec<String> = tasks.iter().take(NAMED).map(ToString::to_string).collect();
    let more = tasks.len().saturating_sub(NAMED);
    if more > 0 { format!("{} and {more} more", names.join("; ")) } else { names.join("; ") }
}

#[derive(Debug, thiserror::Error)]
pub enum GridError {
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    #[error("{id}: {why}")]
    Failed { id: String, why: String },
    #[error("{} of the tasks were set aside after {tries} attempts each: {}; all others are done, and resuming the run tries these again", tasks.len(), named(tasks))]
    FailedTask { tasks: Vec<FailedTask>, tries: u32 },
    #[error(
        "no NATS server answers at {address}: {why}; start one with `nats-server -js`, or give its address with --grid nats://HOST:4222"
    )]
    NoServer { address: String, why: String },
    #[error(
        "the NATS server at {address} refuses these credentials: {why}; give those it knows with --nats-creds, --nats-token, --nats-user or --nats-nkey"
    )]
    Credentials { address: String, why: String },
    #[error(
        "no encrypted connection to the NATS server at {address}: {why}; give the authority of its certificate with --nats-ca, and your own with \
         --nats-cert and --nats-key where it asks for one"
    )]
    Tls { address: String, why: String },
    #[error("\"{}\" cannot be the name of an account: write letters, digits, - and _, 64 at most (the user of the NATS server, or --account)", .0.escape_default())]
    Account(String),
    #[error("cannot use {path}: {why}")]
    CredentialsFile { path: String, why: String },
    #[error("the NATS server at {address} does not provide {what}: {why}")]
    Server {
        address: String,
        /// What was requested, such as a stream.
        what: String,
        why: String,
    },
    #[error(
        "the NATS server has no space for {what}: {why}; nothing is lost: free some space there, and resume the run"
    )]
    Full { what: String, why: String },
    #[error("this worker was refused: {0}")]
    Refused(String),
    /// A wrong result on a grid without accounts.
    #[error(
        "worker {worker} gave a wrong result ({why}), and without accounts nobody can tell which others are its own: all {discarded} results \
         by workers were discarded; take that machine out or give every owner of workers an account (docs/grid.md), and resume the run"
    )]
    Untrusted {
        /// The worker's label.
        worker: String,
        why: String,
        /// Number of discarded results.
        discarded: usize,
    },
    #[error("the results of an account that cheated cannot be retracted: {0}")]
    Retract(String),
    #[error("{path}: {why}")]
    Unreadable { path: String, why: String },
    #[error("cannot write {path}: {source}")]
    File { path: String, source: io::Error },
}
