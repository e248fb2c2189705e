//! The words that those who have work and those who do it share.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use tabia_core::Stop;

use crate::error::GridError;

/// The unit of work: small, complete, and always with the same result.
pub trait Task: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// What comes of it.
    type Done: Serialize + DeserializeOwned + Send + 'static;
    /// What kind of task it is; workers know by it what to do.
    const KIND: &'static str;
    /// What it is called in its run, for people.
    fn id(&self) -> String;
}

/// Files that the tasks of a run share, by the names that tasks know them by: weights, books, settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedFiles {
    /// Their bytes.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl SharedFiles {
    /// A document under a name.
    #[must_use]
    pub fn with(mut self, name: &str, bytes: Vec<u8>) -> SharedFiles {
        self.files.insert(name.to_owned(), bytes);
        self
    }

    /// A document that must be there, read.
    pub fn document<D: DeserializeOwned>(&self, name: &str) -> Result<D, String> {
        let bytes = self.files.get(name).ok_or_else(|| format!("the run came without {name}"))?;
        serde_json::from_slice(bytes).map_err(|error| format!("{name}: {error}"))
    }
}

/// Executes tasks, one after the other. It may cache what is expensive to make, but nothing that a result could depend on.
pub trait Executor<T: Task>: Send {
    /// Does a task. None when it was stopped: then nothing came of it. An error is one of the task, in words.
    fn perform(&mut self, task: &T, stop: &Stop) -> Result<Option<T::Done>, String>;
}

/// What a ledger makes of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is written down.
    Counted,
    /// It cannot be: the task is to be done again.
    Rejected(String),
    /// Nothing more is needed, of any task.
    Enough,
}

/// A result that was counted before the current list of tasks was started: by an earlier process, or in an earlier generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierResult {
    /// [`Task::id`] of its task.
    pub id: String,
    /// Whether its task came with the files that the current tasks share. A training shares another network in each generation.
    pub same_files: bool,
}

/// Whoever has tasks, and keeps their results.
pub trait Ledger<T: Task> {
    /// The result of the task at a place in the list. Each place is counted once, or once more after it was retracted.
    fn done(&mut self, place: usize, done: T::Done) -> Verdict;

    /// Takes back counted results of the current list: the account that gave them was caught giving wrong ones. They are computed
    /// again and counted by [`Ledger::done`]. An error ends the run.
    fn retract(&mut self, places: &[usize]) -> Result<(), String>;

    /// Takes back results that were counted before the current list began; some may not be there any more. The caller of
    /// [`Grid::run`] computes again what is missing afterwards. An error ends the run.
    fn retract_earlier(&mut self, results: &[EarlierResult]) -> Result<(), String>;

    /// A moment has passed; whether to go on.
    fn tick(&mut self) -> bool {
        true
    }
}

/// A function that takes results is a ledger that cannot take any back: where a worker is caught, the run ends with an error.
impl<T: Task, F: FnMut(usize, T::Done) -> Verdict> Ledger<T> for F {
    fn done(&mut self, place: usize, done: T::Done) -> Verdict {
        self(place, done)
    }

    fn retract(&mut self, places: &[usize]) -> Result<(), String> {
        Err(format!("{} results were used already and cannot be taken back; start again", places.len()))
    }

    fn retract_earlier(&mut self, results: &[EarlierResult]) -> Result<(), String> {
        Err(format!(
            "{} earlier results were used already and cannot be taken back; start again",
            results.len()
        ))
    }
}

/// Whoever gets tasks done.
pub trait Grid<T: Task> {
    /// Does all tasks, in any order and anywhere, and hands over each result once. Returns early, without an error, when it is stopped or
    /// the ledger has had enough.
    fn run(&self, tasks: &[T], stop: &Stop, ledger: &mut dyn Ledger<T>) -> Result<(), GridError>;
}

/// The hash of some bytes.
pub fn fingerprint(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}
