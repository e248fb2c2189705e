//! Executes one list of tasks: publishing, and what becomes of results.

mod distrust;
mod health;
mod reviews;

use std::collections::HashMap;
use std::time::Instant;

use async_nats::Subject;
use async_nats::jetstream::Message;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tabia_core::Stop;
use tokio::time::{MissedTickBehavior, interval};

use self::health::Health;
use self::reviews::Trial;
use super::publishing::Confirmation;
use super::records::Records;
use super::results::Results;
use super::review::Review;
use super::session::Nats;
use super::task_list::{Phase, TaskList};
use crate::TICK;
use crate::error::{FailedTask, GridError};
use crate::nats::account::{SHARED, is_account};
use crate::nats::protocol::{Outcome, Report};
use crate::nats::worker_monitor::WorkerMonitor;
use crate::status::printable;
use crate::task::{Ledger, Task, Verdict, fingerprint};

/// Tasks published at a time: enough for many workers, but not all of a long match.
const HANDED_OUT: usize = 4096;
/// Published tasks that the server has not acknowledged.
const UNCONFIRMED: usize = 64;

/// Summary of a list of tasks.
pub(super) struct Outcomes {
    pub done: usize,
    pub set_aside: Vec<FailedTask>,
    pub enough: bool,
}

/// The execution of one list of tasks.
pub(super) struct Run<'a, T: Task> {
    grid: &'a Nats,
    ledger: &'a mut dyn Ledger<T>,
    watch: &'a mut WorkerMonitor,
    records: &'a mut Records,
    list: TaskList<'a, T>,
    /// Hash of the shared files.
    files: String,
    /// The ledger needs no more.
    enough: bool,
    reviews: HashMap<usize, Review>,
    /// Requests for second results: the index of a task, and the inbox of the worker.
    questions: Vec<(usize, Subject)>,
    /// Indices of tasks that the coordinator computes itself.
    own: Vec<usize>,
    health: Health,
}

impl<'a, T: Task> Run<'a, T> {
    pub fn new(
        grid: &'a Nats,
        tasks: &'a [T],
        ledger: &'a mut dyn Ledger<T>,
        watch: &'a mut WorkerMonitor,
        records: &'a mut Records,
    ) -> Result<Run<'a, T>, GridError> {
        const WORD: usize = 16;
        let files = grid.stored_files().hashes;
        let key = |task: &T| {
            let body = serde_json::value::to_raw_value(task)
                .map_err(|error| GridError::Failed { id: task.id(), why: error.to_string() })?;
            Ok(grid.key::<T>(&files, &body))
        };
        let keys = tasks.iter().map(key).collect::<Result<Vec<String>, GridError>>()?;
        let word = fingerprint(format!("{files:?}").as_bytes())[..WORD].to_owned();
        Ok(Run {
            grid,
            ledger,
            watch,
            records,
            list: TaskList::new(tasks, files, keys),
            files: word,
            enough: false,
            reviews: HashMap::new(),
            questions: Vec::new(),
            own: Vec::new(),
            health: Health::default(),
        })
    }

    pub fn outcome(self) -> Outcomes {
        Outcomes { done: self.list.done, set_aside: self.list.set_aside, enough: self.enough }
    }

    pub async fn conduct(&mut self, stop: &Stop) -> Result<(), GridError> {
        self.grid.forget_tasks().await;
        self.retract_leftovers()?;
        let mut trials = FuturesUnordered::new();
        let ending = self.attend(stop, &mut trials).await;
        if !trials.is_empty() {
            self.grid.referee.cancel();
        }
        ending
    }

    async fn attend(&mut self, stop: &Stop, trials: &mut FuturesUnordered<Trial>) -> Result<(), GridError> {
        let (grid, connection) = (self.grid, &self.grid.connection);
        let mut workers = connection
            .client
            .subscribe("tabia.worker.>")
            .await
            .map_err(connection.refused("news of workers"))?;
        let mut confirmations: FuturesUnordered<Confirmation> = FuturesUnordered::new();
        let mut results = Results::default();
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !self.enough && !self.list.is_finished() {
            results.ask(grid).await;
            self.ask_workers().await;
            for index in std::mem::take(&mut self.own) {
                trials.push(self.trial(index));
            }
            // Read waiting results first, so that no task is computed twice.
            while results.old_ones_are_in
                && self.list.handed_out < HANDED_OUT
                && confirmations.len() < UNCONFIRMED
                && let Some(index) = self.list.next()
            {
                let confirmation = grid.publish(&self.list, index).await?;
                self.list.mark_published(index);
                confirmations.push(confirmation);
            }
            tokio::select! {
                Some((index, confirmed)) = confirmations.next(), if !confirmations.is_empty() => {
                    self.confirm(index, confirmed).await?;
                }
                Some((index, result)) = trials.next(), if !trials.is_empty() => self.conclude(index, result)?,
                message = results.next() => {
                    if let Some(message) = message {
                        self.health.heard = Instant::now();
                        // If the acknowledgement is lost, the result arrives again and is recognised as a duplicate.
                        if self.hear(&message)? {
                            let _ = message.ack().await;
                        }
                    }
                }
                Some(message) = workers.next() => self.watch.hear(message, connection, &grid.coordination.signature).await,
                _ = ticks.tick() => {
                    self.watch.refresh(connection, self.list.done, self.list.handed_out);
                    self.remind()?;
                    self.say_if_alone();
                    if stop.is_stopped() || !self.ledger.tick() {
                        return Ok(());
                    }
                    if self.health.is_silent() {
                        self.look_after().await?;
                        self.health.heard = Instant::now();
                    }
                }
            }
        }
        Ok(())
    }

    /// The account of a message, from its subject, which the server protects. `None` if it is not an account.
    fn account_of(&self, subject: &str) -> Option<String> {
        if !self.grid.has_accounts {
            return Some(SHARED.to_owned());
        }
        subject.split('.').nth(2).filter(|account| is_account(account)).map(str::to_owned)
    }

    /// Handles a worker's report; returns whether to acknowledge it.
    fn hear(&mut self, message: &Message) -> Result<bool, GridError> {
        let (account, report) =
            (self.account_of(&message.subject), serde_json::from_slice::<Report>(&message.payload));
        let (Some(account), Ok(report)) = (account, report) else {
            self.grid.log("a message among the results is none, and was ignored");
            return Ok(true);
        };
        // Results of finished tasks: of an earlier generation, or duplicates.
        let Some(index) = self.list.index_of(&report.key) else { return Ok(true) };
        if self.list.entry(index).phase == Phase::Over {
            self.watch.note(|status| status.duplicates += 1);
            return Ok(true);
        }
        self.watch.note(|status| {
            status.redeliveries = status.redeliveries.saturating_add(report.deliveries.saturating_sub(1));
        });
        let Report { attempt, worker, outcome, .. } = report;
        if !self.watch.is_trusted(&account) {
            self.watch.note(|status| status.rejected += 1);
            // Another worker is to do it; reports of an earlier attempt are obsolete.
            if attempt == self.list.entry(index).attempt && !self.reviews.contains_key(&index) {
                self.list.repeat(index);
            }
            return Ok(true);
        }
        let worker = printable(&worker);
        let (why, deadly) = match outcome {
            Outcome::Done(result) => match serde_json::from_str::<T::Done>(result.get()) {
                Ok(done) => return self.weigh(index, account, worker, done, attempt),
                Err(error) => {
                    self.watch.note(|status| status.rejected += 1);
                    (format!("a result of worker {worker} was rejected: it cannot be read: {error}"), false)
                }
            },
            Outcome::Failed(why) => {
                self.watch.note(|status| status.failures += 1);
                (format!("worker {worker} failed: {}", printable(&why)), false)
            }
            Outcome::Dead(times) => {
                self.watch.note(|status| status.failures += 1);
                (format!("handed out {times} times, and its workers were never heard of again"), true)
            }
        };
        if let Some(review) = self.reviews.get_mut(&index) {
            if review.awaits(&account) {
                review.requested = None;
                review.failures.push((account, why.clone()));
                self.grid.log(&format!("{}: {why}", self.list.id(index)));
                self.settle(index)?;
            }
            return Ok(true);
        }
        self.fail(index, &account, attempt, &why, deadly)?;
        Ok(true)
    }

    /// Passes a result to the ledger; returns why it is invalid, if it is.
    fn count(
        &mut self,
        index: usize,
        done: T::Done,
        account: Option<&str>,
    ) -> Result<Result<(), String>, GridError> {
        self.records.count(self.list.id(index), &self.files, account)?;
        match self.ledger.done(index, done) {
            Verdict::Rejected(why) => {
                self.watch.note(|status| status.rejected += 1);
                return Ok(Err(why));
            }
            Verdict::Counted => {}
            Verdict::Enough => self.enough = true,
        }
        self.list.count(index, account);
        Ok(Ok(()))
    }

    /// An account failed at a task: try again, or review whether any account can do it.
    fn fail(
        &mut self,
        index: usize,
        account: &str,
        attempt: u32,
        why: &str,
        deadly: bool,
    ) -> Result<(), GridError> {
        self.grid.log(&format!("{}: {why}", self.list.id(index)));
        self.list.fail(index, account, why);
        let entry = self.list.entry(index);
        // Reports of an earlier attempt are obsolete.
        if attempt != entry.attempt {
            return Ok(());
        }
        if !deadly && attempt < self.grid.coordination.tries {
            self.list.retry(index);
            return Ok(());
        }
        let review = Review::of_failures(entry.failures.clone(), self.is_compared(index), deadly);
        self.reviews.insert(index, review);
        self.settle(index)?;
        Ok(())
    }

    fn give_up(&mut self, index: usize, why: String) {
        let task = self.list.give_up(index, why);
        self.grid.log(&format!("{} is set aside: {}", task.id, task.why));
        self.watch.note(|status| status.set_aside.push(task));
    }
}
