//! Messages between coordinator and workers: JSON, so that a worker can be written in any language.
//!
//! Who sent a message is said by the account in its subject, which the server's permissions guard, and never by its body.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::status::{WorkerStatus, printable};

/// The version of these messages and of the subjects they travel on. Version 1 had no accounts: a worker named itself.
pub(super) const PROTOCOL: u32 = 2;

/// A task as it is handed out.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TaskMessage {
    /// Whose result it will be: a hash of the task, its run and all it depends on.
    pub key: String,
    pub run: String,
    pub kind: String,
    /// What it is called in its run.
    pub id: String,
    /// How often it was asked for, from 1.
    pub attempt: u32,
    /// How often it may be handed out before it is given up.
    pub tries: u32,
    /// Files it shares with other tasks: their names, and the hashes they are stored under.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// The task, or
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<Box<RawValue>>,
    /// the hash that it is stored under, where it is large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
}

/// What came of it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Report {
    pub key: String,
    pub attempt: u32,
    /// The sender's label, for people.
    pub worker: String,
    /// How often the task had been handed out by then.
    pub deliveries: u64,
    pub outcome: Outcome,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Outcome {
    /// The result.
    Done(Box<RawValue>),
    /// Why there is none.
    Failed(String),
    /// It was delivered so often, and no worker ever reported a result.
    Dead(u64),
}

/// What a coordinator answers to a worker that tells of itself.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Answer {
    /// The coordinator's version; none is the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<u32>,
    pub welcome: bool,
    #[serde(default)]
    pub reason: String,
    /// Whether it should end: its results were wrong.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leave: bool,
    /// A task that somebody else has done, to be done again and compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Box<TaskMessage>>,
}

impl Answer {
    /// The answer as a worker of this version takes it: one that speaks another version is a refusal.
    pub fn understood(self) -> Answer {
        let theirs = self.protocol.unwrap_or(1);
        if !self.welcome || theirs == PROTOCOL {
            return self;
        }
        Answer {
            welcome: false,
            reason: other_version("the coordinator", theirs, "this worker"),
            ..Answer::default()
        }
    }
}

/// Why two cannot work together.
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
    if let Ok(answer) = serde_json::from_slice::<Answer>(bytes) {
        shown.push(printable(&answer.understood().reason));
    }
    if let Ok(task) = serde_json::from_slice::<TaskMessage>(bytes) {
        shown.push(printable(&task.id));
    }
    shown
}
