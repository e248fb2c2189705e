//! What goes over the wire: JSON, so that a worker can be written in any language.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A task as it is handed out.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
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
    /// Who says so.
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
    /// It was handed out so often, and nobody ever said what became of it.
    Dead(u64),
}

/// What a coordinator answers to a worker that tells of itself.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Answer {
    pub welcome: bool,
    #[serde(default)]
    pub reason: String,
    /// Whether it should end: its results were wrong.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leave: bool,
    /// A task that somebody else has done, to be done again and compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Box<Order>>,
}
