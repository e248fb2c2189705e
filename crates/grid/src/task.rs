//! Tasks, executors and ledgers: the interface between those who have tasks and those who execute them.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use tabia_core::Stop;

use crate::error::GridError;

/// A unit of work: small, self-contained and deterministic.
pub trait Task: Serialize + DeserializeOwned + Send + Sync + 'static {
    type Done: Serialize + DeserializeOwned + Send + 'static;
    /// The kind of task, by which workers find its handler.
    const KIND: &'static str;
    /// Its name within the run, for people.
    fn id(&self) -> String;
}

/// Files shared by the tasks of a run, by name: weights, books, settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedFiles {
    pub files: BTreeMap<String, Vec<u8>>,
}

impl SharedFiles {
    /// Adds a document as JSON.
    #[must_use]
    pub fn with(mut self, name: &str, bytes: Vec<u8>) -> SharedFiles {
        self.files.insert(name.to_owned(), bytes);
        self
    }

    /// Reads a required document.
    pub fn document<D: DeserializeOwned>(&self, name: &str) -> Result<D, String> {
        let bytes = self.files.get(name).ok_or_else(|| format!("the run came without {name}"))?;
        serde_json::from_slice(bytes).map_err(|error| format!("{name}: {error}"))
    }
}

/// Executes tasks, one after another. It may cache what is expensive to create, but nothing that a result could depend on.
pub trait Executor<T: Task>: Send {
    /// Executes a task; `None` when it was stopped. An error is a message about the task.
    fn perform(&mut self, task: &T, stop: &Stop) -> Result<Option<T::Done>, String>;
}

/// A ledger's verdict on a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is recorded.
    Counted,
    /// It is invalid: the task must be repeated.
    Rejected(String),
    /// It is recorded, and no further results of any task are needed.
    Enough,
}

/// A result that was recorded before the current list of tasks: by an earlier process, or in an earlier generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierResult {
    /// [`Task::id`] of its task.
    pub id: String,
    /// Whether its task had the shared files of the current tasks. A training has another network in each generation.
    pub same_files: bool,
}

/// Has tasks and records their results.
pub trait Ledger<T: Task> {
    /// Receives the result of a task by its index in the list: once per task, and again after a retraction.
    fn done(&mut self, index: usize, done: T::Done) -> Verdict;

    /// Retracts recorded results of the current list, because their account is distrusted. They are computed again
    /// and passed to [`Ledger::done`]. An error ends the run.
    fn retract(&mut self, indices: &[usize]) -> Result<(), String>;

    /// Retracts results from before the current list; some may no longer exist. The caller of [`Grid::run`] computes the
    /// missing ones again. An error ends the run.
    fn retract_earlier(&mut self, results: &[EarlierResult]) -> Result<(), String>;

    /// Called periodically; returns whether to continue.
    fn tick(&mut self) -> bool {
        true
    }
}

/// A function that takes results is a ledger without retraction: if a worker is distrusted, the run ends with an
/// error.
impl<T: Task, F: FnMut(usize, T::Done) -> Verdict> Ledger<T> for F {
    fn done(&mut self, index: usize, done: T::Done) -> Verdict {
        self(index, done)
    }

    fn retract(&mut self, indices: &[usize]) -> Result<(), String> {
        Err(format!("{} results were used already and cannot be taken back; start again", indices.len()))
    }

    fn retract_earlier(&mut self, results: &[EarlierResult]) -> Result<(), String> {
        Err(format!(
            "{} earlier results were used already and cannot be taken back; start again",
            results.len()
        ))
    }
}

/// Gets tasks executed.
pub trait Grid<T: Task> {
    /// Executes all tasks, in any order and anywhere, and passes each result on once. Returns early, without an error, when
    /// stopped or when the ledger needs no more.
    fn run(&self, tasks: &[T], stop: &Stop, ledger: &mut dyn Ledger<T>) -> Result<(), GridError>;
}

pub fn fingerprint(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}
