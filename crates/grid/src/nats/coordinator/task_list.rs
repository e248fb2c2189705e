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
    places: HashMap<String, usize>,
    queue: VecDeque<usize>,
    pub handed_out: usize,
    pub done: usize,
    pub set_aside: Vec<FailedTask>,
}

impl<'a, T: Task> TaskList<'a, T> {
    pub fn new(tasks: &'a [T], files: BTreeMap<String, String>, keys: Vec<String>) -> TaskList<'a, T> {
        let places = keys.iter().enumerate().map(|(place, key)| (key.clone(), place)).collect();
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
            places,
            entries: keys.into_iter().map(entry).collect(),
            queue: (0..tasks.len()).collect(),
            handed_out: 0,
            done: 0,
            set_aside: Vec::new(),
        }
    }

    pub fn entry(&self, place: usize) -> &Entry {
        &self.entries[place]
    }

    pub fn id(&self, place: usize) -> String {
        self.tasks[place].id()
    }

    pub fn place_of(&self, key: &str) -> Option<usize> {
        self.places.get(key).copied()
    }

    /// Whether every task is counted or set aside.
    pub fn is_finished(&self) -> bool {
        self.done + self.set_aside.len() == self.tasks.len()
    }

    /// The next task to publish.
    pub fn next(&mut self) -> Option<usize> {
        while let Some(place) = self.queue.pop_front() {
            if self.entries[place].phase == Phase::Queued {
                return Some(place);
            }
        }
        None
    }

    pub fn mark_published(&mut self, place: usize) {
        self.entries[place].phase = Phase::HandedOut;
        self.handed_out += 1;
    }

    /// The server rejected a task: it is next again, with the same message id.
    pub fn take_back(&mut self, place: usize) {
        if self.entries[place].phase == Phase::HandedOut {
            self.leave(place, Phase::Queued);
            self.queue.push_front(place);
        }
    }

    /// Publishes a task again as the same attempt: its message or result was unusable.
    pub fn repeat(&mut self, place: usize) {
        self.entries[place].again += 1;
        self.leave(place, Phase::Queued);
        self.queue.push_back(place);
    }

    /// Starts another attempt at a failed task.
    pub fn retry(&mut self, place: usize) {
        self.entries[place].attempt += 1;
        self.leave(place, Phase::Queued);
        self.queue.push_back(place);
    }

    pub fn fail(&mut self, place: usize, account: &str, why: &str) {
        let failures = &mut self.entries[place].failures;
        failures.retain(|(known, _)| known != account);
        failures.push((account.to_owned(), why.to_owned()));
    }

    pub fn count(&mut self, place: usize, account: Option<&str>) {
        self.leave(place, Phase::Over);
        self.entries[place].counted_by = account.map(str::to_owned);
        self.done += 1;
    }

    pub fn give_up(&mut self, place: usize, why: String) -> FailedTask {
        self.leave(place, Phase::Over);
        let task = FailedTask { id: self.id(place), why };
        self.set_aside.push(task.clone());
        task
    }

    /// Indices of the results of an account.
    pub fn counted_by(&self, account: &str) -> Vec<usize> {
        let of = |place: &usize| self.entries[*place].counted_by.as_deref() == Some(account);
        (0..self.entries.len()).filter(of).collect()
    }

    /// Retracts counted results: their tasks are published again.
    pub fn retract(&mut self, places: &[usize]) {
        for place in places {
            self.entries[*place].counted_by = None;
            self.done -= 1;
            self.repeat(*place);
        }
    }

    /// Published tasks without a result.
    pub fn outstanding(&self) -> Vec<usize> {
        (0..self.entries.len()).filter(|place| self.entries[*place].phase == Phase::HandedOut).collect()
    }

    fn leave(&mut self, place: usize, phase: Phase) {
        let entry = &mut self.entries[place];
        if entry.phase == Phase::HandedOut {
            self.handed_out -= 1;
        }
        entry.phase = phase;
    }
}
