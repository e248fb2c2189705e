//! One list of tasks: which are queued, published, counted or set aside.

use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::error::FailedTask;
use crate::task::Task;

/// The state of a task.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Queued,
    HandedOut,
    Over,
}

#[derive(Debug)]
pub(super) struct Entry {
    pub key: String,
    pub phase: Phase,
    /// Number of attempts, from 1.
    pub attempt: u32,
    /// How often the same attempt was published again, because its message or result was unusable.
    pub again: u32,
    /// The account whose result was counted; `None` if the coordinator computed it.
    counted_by: Option<String>,
    /// Accounts that failed, with their last error.
    pub failures: Vec<(String, String)>,
}

/// The tasks of one call, by index.
pub(super) struct TaskList<'a, T> {
    pub tasks: &'a [T],
    /// Hashes of the shared files.
    pub files: BTreeMap<String, String>,
    entries: Vec<Entry>,
    indices: HashMap<String, usize>,
    queue: VecDeque<usize>,
    pub handed_out: usize,
    pub done: usize,
    pub set_aside: Vec<FailedTask>,
}

impl<'a, T: Task> TaskList<'a, T> {
    pub fn new(tasks: &'a [T], files: BTreeMap<String, String>, keys: Vec<String>) -> TaskList<'a, T> {
        let indices = keys.iter().enumerate().map(|(index, key)| (key.clone(), index)).collect();
        let entry = |key| Entry {
            key,
            phase: Phase::Queued,
            attempt: 1,
            again: 0,
            counted_by: None,
            failures: Vec::new(),
        };
        TaskList {
            tasks,
            files,
            indices,
            entries: keys.into_iter().map(entry).collect(),
            queue: (0..tasks.len()).collect(),
            handed_out: 0,
            done: 0,
            set_aside: Vec::new(),
        }
    }

    pub fn entry(&self, index: usize) -> &Entry {
        &self.entries[index]
    }

    pub fn id(&self, index: usize) -> String {
        self.tasks[index].id()
    }

    pub fn index_of(&self, key: &str) -> Option<usize> {
        self.indices.get(key).copied()
    }

    /// Whether every task is counted or set aside.
    pub fn is_finished(&self) -> bool {
        self.done + self.set_aside.len() == self.tasks.len()
    }

    /// The next task to publish.
    pub fn next(&mut self) -> Option<usize> {
        while let Some(index) = self.queue.pop_front() {
            if self.entries[index].phase == Phase::Queued {
                return Some(index);
            }
        }
        None
    }

    pub fn mark_published(&mut self, index: usize) {
        self.entries[index].phase = Phase::HandedOut;
        self.handed_out += 1;
    }

    /// The server rejected a task: it is next again, with the same message id.
    pub fn take_back(&mut self, index: usize) {
        if self.entries[index].phase == Phase::HandedOut {
            self.leave(index, Phase::Queued);
            self.queue.push_front(index);
        }
    }

    /// Publishes a task again as the same attempt: its message or result was unusable.
    pub fn repeat(&mut self, index: usize) {
        self.entries[index].again += 1;
        self.leave(index, Phase::Queued);
        self.queue.push_back(index);
    }

    /// Starts another attempt at a failed task.
    pub fn retry(&mut self, index: usize) {
        self.entries[index].attempt += 1;
        self.leave(index, Phase::Queued);
        self.queue.push_back(index);
    }

    pub fn fail(&mut self, index: usize, account: &str, why: &str) {
        let failures = &mut self.entries[index].failures;
        failures.retain(|(known, _)| known != account);
        failures.push((account.to_owned(), why.to_owned()));
    }

    pub fn count(&mut self, index: usize, account: Option<&str>) {
        self.leave(index, Phase::Over);
        self.entries[index].counted_by = account.map(str::to_owned);
        self.done += 1;
    }

    pub fn give_up(&mut self, index: usize, why: String) -> FailedTask {
        self.leave(index, Phase::Over);
        let task = FailedTask { id: self.id(index), why };
        self.set_aside.push(task.clone());
        task
    }

    /// Indices of the results of an account.
    pub fn counted_by(&self, account: &str) -> Vec<usize> {
        let of = |index: &usize| self.entries[*index].counted_by.as_deref() == Some(account);
        (0..self.entries.len()).filter(of).collect()
    }

    /// Retracts counted results: their tasks are published again.
    pub fn retract(&mut self, indices: &[usize]) {
        for index in indices {
            self.entries[*index].counted_by = None;
            self.done -= 1;
            self.repeat(*index);
        }
    }

    /// Published tasks without a result.
    pub fn outstanding(&self) -> Vec<usize> {
        (0..self.entries.len()).filter(|index| self.entries[*index].phase == Phase::HandedOut).collect()
    }

    fn leave(&mut self, index: usize, phase: Phase) {
        let entry = &mut self.entries[index];
        if entry.phase == Phase::HandedOut {
            self.handed_out -= 1;
        }
        entry.phase = phase;
    }
}
