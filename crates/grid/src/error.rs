//! What ends a run before its time, or keeps it from beginning.

use std::fmt;
use std::io;

/// A task that was given up.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SetAside {
    /// What it is called in its run.
    pub id: String,
    /// What happened the last time.
    pub why: String,
}

impl fmt::Display for SetAside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.id, self.why)
    }
}

/// How many tasks that were given up are named.
const NAMED: usize = 10;

fn named(tasks: &[SetAside]) -> String {
    let names: Vec<String> = tasks.iter().take(NAMED).map(ToString::to_string).collect();
    let more = tasks.len().saturating_sub(NAMED);
    if more > 0 { format!("{} and {more} more", names.join("; ")) } else { names.join("; ") }
}

/// Why tasks are not done.
#[derive(Debug, thiserror::Error)]
pub enum GridError {
    /// A thread that cannot be had.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// A task that cannot be done here, and so nowhere.
    #[error("{id}: {why}")]
    Failed {
        /// What it is called in its run.
        id: String,
        /// What happened.
        why: String,
    },
    /// Tasks that were tried often enough.
    #[error("{} of the tasks were set aside (each is tried {tries} times at most): {}; all others are done, and to resume the run is to try these again", tasks.len(), named(tasks))]
    SetAside {
        /// Which.
        tasks: Vec<SetAside>,
        /// How often a task is tried.
        tries: u32,
    },
    /// Nobody is there.
    #[error(
        "no NATS server answers at {address}: {why}; start one with `nats-server -js`, or give its address with --grid nats://HOST:4222"
    )]
    NoServer {
        /// Where it was looked for.
        address: String,
        /// What happened.
        why: String,
    },
    /// Somebody is there, and does not let us in.
    #[error(
        "the NATS server at {address} refuses these credentials: {why}; give those it knows with --nats-creds, --nats-token, --nats-user or --nats-nkey"
    )]
    Credentials {
        /// Where.
        address: String,
        /// What it says.
        why: String,
    },
    /// Somebody is there, and one of the two does not believe the other's certificate.
    #[error(
        "no encrypted connection to the NATS server at {address}: {why}; give the authority of its certificate with --nats-ca, and your own with \
         --nats-cert and --nats-key where it asks for one"
    )]
    Tls {
        /// Where.
        address: String,
        /// What happened.
        why: String,
    },
    /// A name that cannot be part of a subject.
    #[error("\"{}\" cannot be the name of an account: write letters, digits, - and _, 64 at most (the user of the NATS server, or --account)", .0.escape_default())]
    Account(String),
    /// A file of credentials or certificates that cannot be used.
    #[error("cannot use {path}: {why}")]
    CredentialsFile {
        /// Which file.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// A server without what is needed of it.
    #[error("the NATS server at {address} does not do what is asked of it ({what}): {why}")]
    Server {
        /// Where.
        address: String,
        /// What was asked.
        what: String,
        /// What it says.
        why: String,
    },
    /// No room for tasks.
    #[error(
        "the NATS server has no room for {what}: {why}; nothing is lost: make room there, and resume the run"
    )]
    Full {
        /// What was to be stored.
        what: String,
        /// What it says.
        why: String,
    },
    /// A worker that is not like the others.
    #[error("this worker was refused: {0}")]
    Refused(String),
    /// Somebody gave a wrong result, and all workers are one account.
    #[error(
        "worker {worker} gave a wrong result ({why}), and without accounts nobody can tell which others are its own: all {discarded} results \
         by workers were discarded; take that machine out or give every owner of workers an account (docs/grid.md), and resume the run"
    )]
    Untrusted {
        /// The label it goes by.
        worker: String,
        /// What was wrong.
        why: String,
        /// Results that were taken back.
        discarded: usize,
    },
    /// Results of an account that was caught cannot be taken back.
    #[error("results of an account that gave wrong ones cannot be taken back: {0}")]
    Retract(String),
    /// A file of the run cannot be read.
    #[error("{path}: {why}")]
    Unreadable {
        /// Which.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// A file of the run cannot be written.
    #[error("cannot write {path}: {source}")]
    File {
        /// Which.
        path: String,
        /// What the system says.
        source: io::Error,
    },
}
