//! Messages between coordinator and workers: JSON, so that a worker can be written in any language.
//!
//! The sender of a message is the account in its subject, which the server's permissions protect, never its body.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::status::{WorkerStatus, printable};

/// Version of the messages and subjects. Version 1 had no accounts: a worker named itself.
pub(super) const PROTOCOL: u32 = 2;

/// A published task.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TaskMessage {
    /// Key of the result: a hash of the task, its run and everything it depends on.
    pub key: String,
    pub run: String,
    pub kind: String,
    /// Its name within the run.
    pub id: String,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// Deliveries before it counts as failed.
    pub tries: u32,
    /// Shared files: names, and the hashes under which they are stored.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// The task, or
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<Box<RawValue>>,
    /// the hash that it is stored under, where it is large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
}

/// A worker's report on a task.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Report {
    pub key: String,
    pub attempt: u32,
    /// The sender's label, for people.
    pub worker: String,
    /// Number of deliveries so far.
    pub deliveries: u64,
    pub outcome: Outcome,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Outcome {
    /// The result.
    Done(Box<RawValue>),
    /// Why there is no result.
    Failed(String),
    /// Delivered this often without a report from any worker.
    Dead(u64),
}

/// A coordinator's reply to a worker's heartbeat.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct WorkerReply {
    /// The coordinator's protocol version; absent in version 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<u32>,
    pub welcome: bool,
    #[serde(default)]
    pub reason: String,
    /// Whether the worker must end, because its results were wrong.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leave: bool,
    /// A task of another account, to be computed again for comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Box<TaskMessage>>,
}

impl WorkerReply {
    /// The reply as understood by this version: another protocol version is a refusal.
    pub fn checked_version(self) -> WorkerReply {
        let theirs = self.protocol.unwrap_or(1);
        if !self.welcome || theirs == PROTOCOL {
            return self;
        }
        WorkerReply {
            welcome: false,
            reason: other_version("the coordinator", theirs, "this worker"),
            ..WorkerReply::default()
        }
    }
}

/// The error about different protocol versions.
pub(super) fn other_version(who: &str, theirs: u32, us: &str) -> String {
    format!(
        "{who} speaks version {theirs} of the grid's protocol, {us} version {PROTOCOL}: use the same build for both"
    )
}

/// Reads bytes as each message that may come from the queue, and returns what of them is shown to people. For fuzzing: in the
/// coordinator and the worker each message is read where it arrives.
pub fn read_message(bytes: &[u8]) -> Vec<String> {
    let mut shown = Vec::new();
    if let Ok(Report { worker, outcome, .. }) = serde_json::from_slice(bytes) {
        shown.push(printable(&worker));
        if let Outcome::Failed(why) = outcome {
            shown.push(printable(&why));
        }
    }
    if let Ok(mut status) = serde_json::from_slice::<WorkerStatus>(bytes) {
        status.clean();
        shown.extend(
            [status.id, status.host, status.version, status.signature].into_iter().chain(status.trouble),
        );
    }
    if let Ok(answer) = serde_json::from_slice::<WorkerReply>(bytes) {
        shown.push(printable(&answer.checked_version().reason));
    }
    if let Ok(task) = serde_json::from_slice::<TaskMessage>(bytes) {
        shown.push(printable(&task.id));
    }
    shown
}
