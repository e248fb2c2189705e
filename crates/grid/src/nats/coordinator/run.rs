//! Executes one list of tasks: publishing, results, reviews, and what to do when no messages arrive.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Subject;
use async_nats::jetstream::Message;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tabia_core::Stop;
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use super::publishing::Confirmation;
use super::records::Records;
use super::results::Results;
use super::review::{Assignee, Review, Step, SubmittedResult};
use super::secret::Decision;
use super::session::{Nats, PAUSE};
use super::task_list::{Phase, TaskList};
use crate::TICK;
use crate::error::{FailedTask, GridError};
use crate::nats::account::{SHARED, is_account};
use crate::nats::connection::{ANSWER, error_chain, is_full};
use crate::nats::protocol::{Outcome, PROTOCOL, Report, WorkerReply};
use crate::nats::worker_monitor::WorkerMonitor;
use crate::status::printable;
use crate::task::{Ledger, Task, Verdict, fingerprint};

/// Tasks published at a time: enough for many workers, but not all of a long match.
const HANDED_OUT: usize = 4096;
/// Published tasks that the server has not acknowledged.
const UNCONFIRMED: usize = 64;
/// A connected server that accepts no task for this long is broken.
const PATIENCE: Duration = Duration::from_mins(1);
/// After this long without a message, check that the server still has the tasks.
const SILENCE: Duration = Duration::from_secs(5);
/// A connected server that fails this many times to answer, which takes a minute, is broken.
const MAX_UNANSWERED: u32 = 6;
/// How often a worker is asked again for a second result that it has not sent.
const ASKED_AGAIN: Duration = Duration::from_secs(3);
/// After this long without it, another worker is asked.
const LONGEST_REVIEW: Duration = Duration::from_mins(15);
/// The coordinator itself computes one in this many second results, so that colluding accounts are found too.
const OWN_REVIEWS: u64 = 8;

/// Result of a task that the coordinator computes itself, with its index.
type Trial = Pin<Box<dyn Future<Output = (usize, Result<String, String>)>>>;

/// Summary of a list of tasks.
pub(super) struct Outcomes {
    pub done: usize,
    pub set_aside: Vec<FailedTask>,
    pub enough: bool,
}

/// Health of the server and the workers.
struct Health {
    /// Time of the last result.
    heard: Instant,
    /// Consecutive failures of a connected server to report its state.
    unanswered: u32,
    /// Since when the server accepts no task.
    stuck: Option<Instant>,
    /// Since when there is no worker.
    alone: Instant,
    /// Whether the lack of workers was reported.
    told_alone: bool,
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
        let now = Instant::now();
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
            health: Health { heard: now, unanswered: 0, stuck: None, alone: now, told_alone: false },
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
                    if self.health.heard.elapsed() > SILENCE {
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

    /// Handles a result: it counts, needs a second one, or is the second one. Returns whether to acknowledge it.
    fn weigh(
        &mut self,
        index: usize,
        account: String,
        worker: String,
        done: T::Done,
        attempt: u32,
    ) -> Result<bool, GridError> {
        if let Some(review) = self.reviews.get_mut(&index) {
            if !review.awaits(&account) {
                // The result arrived again while it waits for a second one; no other account was asked.
                return Ok(review.results.iter().all(|known| known.account != account));
            }
            let result = text_of::<T>(&done);
            review.requested = None;
            review.results.push(SubmittedResult { account, worker, result });
            return self.settle(index);
        }
        if self.is_compared(index) {
            let result = text_of::<T>(&done);
            self.reviews.insert(index, Review::of_result(SubmittedResult { account, worker, result }));
            return self.settle(index);
        }
        if let Err(why) = self.count(index, done, Some(&account))? {
            let why = format!("a result of worker {worker} was rejected: {why}");
            self.fail(index, &account, attempt, &why, false)?;
        }
        Ok(true)
    }

    /// Whether the result of a task was selected for comparison.
    fn is_compared(&self, index: usize) -> bool {
        let coordination = &self.grid.coordination;
        coordination.secret.share(Decision::Compare, &self.list.entry(index).key) < coordination.double_check
    }

    /// Performs the steps of a review until it waits or ends; returns whether it ended.
    fn settle(&mut self, index: usize) -> Result<bool, GridError> {
        let Some(review) = self.reviews.get_mut(&index) else { return Ok(false) };
        match review.step() {
            Step::Wait => Ok(false),
            Step::AskCoordinator => {
                review.requested = Some(Assignee::Coordinator);
                self.own.push(index);
                Ok(false)
            }
            Step::AskAnother => {
                self.ask_another(index);
                Ok(false)
            }
            Step::Accept { by, result, wrong, compared } => {
                self.reviews.remove(&index);
                if compared {
                    self.watch.note(|status| status.checked += 1);
                }
                let right = match &by {
                    Some(submitted) => format!("that of account {}", submitted.account),
                    None => "the coordinator's".to_owned(),
                };
                for submitted in wrong {
                    let why = format!("its result of {} is not {right}", self.list.id(index));
                    self.distrust(&submitted, &why)?;
                }
                let done = serde_json::from_str(&result).expect("it was read before");
                let account = by.as_ref().map(|submitted| submitted.account.as_str());
                if let Err(why) = self.count(index, done, account)? {
                    match by {
                        Some(SubmittedResult { account, worker, .. }) => {
                            let why = format!("a result of worker {worker} was rejected: {why}");
                            let attempt = self.list.entry(index).attempt;
                            self.fail(index, &account, attempt, &why, false)?;
                        }
                        None => {
                            self.give_up(index, format!("the coordinator's own result was rejected: {why}"));
                        }
                    }
                }
                Ok(true)
            }
            Step::GiveUp(why) => {
                self.reviews.remove(&index);
                self.give_up(index, why);
                Ok(true)
            }
        }
    }

    /// Asks a worker of another account for a second result. The account is selected with the secret, so that
    /// accounts cannot arrange to check each other. Sometimes, and if there is no other account, the coordinator
    /// computes the task itself.
    fn ask_another(&mut self, index: usize) {
        let Some(review) = self.reviews.get_mut(&index) else { return };
        let (key, secret) = (&self.list.entry(index).key, &self.grid.coordination.secret);
        let own = review.compare && secret.draw(Decision::Own, key) % OWN_REVIEWS == 0;
        let other = if own || !self.grid.has_accounts {
            None
        } else {
            self.watch.another(|account| review.knows(account), secret.draw(Decision::Account, key))
        };
        if let Some((account, worker, inbox)) = other {
            let now = Instant::now();
            review.requested = Some(Assignee::Worker { account, worker, first: now, last: now });
            self.questions.push((index, inbox));
            return;
        }
        // Other workers may not have reported yet.
        if self.grid.has_accounts && !own && !self.watch.has_heard_all_workers() {
            return;
        }
        if review.compare && !own && self.watch.accounts() < 2 {
            self.grid.warn_single_account();
        }
        review.requested = Some(Assignee::Coordinator);
        self.own.push(index);
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

    /// Distrusts an account with a wrong result: it is ignored from now on, and all its results are retracted and
    /// computed again.
    fn distrust(&mut self, submitted: &SubmittedResult, why: &str) -> Result<(), GridError> {
        let account = submitted.account.as_str();
        if !self.watch.is_trusted(account) {
            return Ok(());
        }
        if !self.grid.has_accounts {
            return self.discard_all(&submitted.worker, why);
        }
        self.records.distrust(account, why)?;
        self.watch.distrust(account, why);
        let indices = self.list.counted_by(account);
        let counted = indices.len() + self.records.earlier(account, &self.files)?.len();
        let counted = match counted {
            0 => "none of its results was counted".to_owned(),
            1 => "its one result that was counted is taken back and computed again".to_owned(),
            count => format!("{count} results of it that were counted are taken back and computed again"),
        };
        self.grid.log(&format!("account {account} is not trusted any more: {why}; {counted}"));
        self.take_back(&indices)?;
        self.retract_earlier(account)?;
        let emptied: Vec<usize> = self
            .reviews
            .iter_mut()
            .filter_map(|(index, review)| (!review.forget(account)).then_some(*index))
            .collect();
        for index in emptied {
            self.reviews.remove(&index);
            self.list.repeat(index);
        }
        Ok(())
    }

    /// Retracts counted results of this list and publishes their tasks again.
    fn take_back(&mut self, indices: &[usize]) -> Result<(), GridError> {
        if !indices.is_empty() {
            self.ledger.retract(indices).map_err(GridError::Retract)?;
            self.list.retract(indices);
            self.watch.note(|status| status.retracted += indices.len() as u64);
        }
        Ok(())
    }

    /// If all workers share one account, none of its results can be trusted: all are retracted, and the run ends, so
    /// that the operator can find the faulty machine.
    fn discard_all(&mut self, worker: &str, why: &str) -> Result<(), GridError> {
        let indices = self.list.counted_by(SHARED);
        self.take_back(&indices)?;
        let discarded = indices.len() + self.retract_earlier(SHARED)?;
        Err(GridError::Untrusted { worker: worker.to_owned(), why: why.to_owned(), discarded })
    }

    /// Retracts an account's results from before this list; returns their number.
    fn retract_earlier(&mut self, account: &str) -> Result<usize, GridError> {
        let earlier = self.records.earlier(account, &self.files)?;
        if !earlier.is_empty() {
            self.ledger.retract_earlier(&earlier).map_err(GridError::Retract)?;
            self.watch.note(|status| status.retracted += earlier.len() as u64);
        }
        self.records.retracted(account)?;
        Ok(earlier.len())
    }

    /// A previous process may have been killed after it distrusted an account and before all its results were
    /// retracted.
    fn retract_leftovers(&mut self) -> Result<(), GridError> {
        let distrusted: Vec<String> = self.records.distrusted().keys().cloned().collect();
        for account in distrusted {
            let count = self.retract_earlier(&account)?;
            if count > 0 {
                self.grid
                    .log(&format!("{count} results of account {account}, which was caught, are taken back"));
            }
        }
        Ok(())
    }

    /// Computes a task in the coordinator, on a separate thread.
    fn trial(&self, index: usize) -> Trial {
        let (referee, shared) = (Arc::clone(&self.grid.referee), self.grid.stored_files().shared);
        let task = serde_json::to_string(&self.list.tasks[index]).expect("it was written before");
        // The operator named the external programs of this run; still, they are started only where workers start
        // them.
        let programs = self.reviews.get(&index).is_some_and(|review| review.deadly);
        let work = spawn_blocking(move || referee.perform(T::KIND, &shared, &task, programs));
        Box::pin(async move {
            let result = work.await.map_err(|error| error.to_string()).flatten();
            let read = result.and_then(|result| {
                let done = serde_json::from_str::<T::Done>(result.get());
                done.map(|done| text_of::<T>(&done)).map_err(|error| format!("it cannot be read: {error}"))
            });
            (index, read)
        })
    }

    /// Handles a task that the coordinator computed.
    fn conclude(&mut self, index: usize, result: Result<String, String>) -> Result<(), GridError> {
        self.health.heard = Instant::now();
        if let Some(review) = self.reviews.get_mut(&index) {
            review.own = Some(result);
            self.settle(index)?;
        }
        Ok(())
    }

    /// Repeats or replaces requests for second results that were not answered.
    fn remind(&mut self) -> Result<(), GridError> {
        let indices: Vec<usize> = self.reviews.keys().copied().collect();
        for index in indices {
            let Some(review) = self.reviews.get_mut(&index) else { continue };
            match &mut review.requested {
                Some(Assignee::Coordinator) => continue,
                Some(Assignee::Worker { account, worker, first, last }) => {
                    let inbox = self.watch.inbox_of(account, worker);
                    if let Some(inbox) = inbox.filter(|_| first.elapsed() < LONGEST_REVIEW) {
                        if last.elapsed() > ASKED_AGAIN {
                            *last = Instant::now();
                            self.questions.push((index, inbox));
                        }
                        continue;
                    }
                    let gone = account.clone();
                    review.silent.push(gone);
                    review.requested = None;
                }
                None => {}
            }
            self.settle(index)?;
        }
        Ok(())
    }

    /// Sends the queued requests.
    async fn ask_workers(&mut self) {
        for (index, inbox) in std::mem::take(&mut self.questions) {
            // Lost requests are repeated.
            let Ok(order) = self.grid.order(&self.list, index).await else { continue };
            let check = Some(Box::new(order));
            let answer =
                WorkerReply { protocol: Some(PROTOCOL), welcome: true, check, ..WorkerReply::default() };
            let answer = serde_json::to_vec(&answer).expect("texts can be written");
            let _ = self.grid.connection.client.publish(inbox, answer.into()).await;
        }
    }

    /// Handles the acknowledgement of a published task.
    async fn confirm(&mut self, index: usize, confirmed: Result<(), PublishError>) -> Result<(), GridError> {
        let Err(error) = confirmed else {
            self.health.stuck = None;
            return Ok(());
        };
        let why = error_chain(&error);
        if is_full(&why) {
            return Err(GridError::Full { what: "tasks".to_owned(), why });
        }
        let connection = &self.grid.connection;
        let since = *self.health.stuck.get_or_insert_with(Instant::now);
        if !connection.is_connected() {
            self.health.stuck = None;
        } else if since.elapsed() > PATIENCE {
            let (address, what) = (connection.address.clone(), "tasks to hand out".to_owned());
            return Err(GridError::Server { address, what, why });
        }
        // Publishing again with the same message id creates no duplicate.
        self.list.take_back(index);
        if error.kind() == PublishErrorKind::StreamNotFound && connection.is_connected() {
            self.grid.restore().await;
        }
        sleep(PAUSE).await;
        Ok(())
    }

    /// Reports once that there has been no worker for a while.
    fn say_if_alone(&mut self) {
        let health = &mut self.health;
        if !self.watch.is_empty() {
            health.told_alone = false;
            health.alone = Instant::now();
        } else if !health.told_alone && health.alone.elapsed() > SILENCE {
            health.told_alone = true;
            let address = &self.grid.connection.address;
            self.grid.log(&format!("no worker is there; start some: tabia worker --grid {address}"));
        }
    }

    /// Called after a while without messages. If workers report that the server is full, the run fails. If the server
    /// has neither tasks nor results of this run, the published tasks are lost and published again. If it has tasks
    /// but delivers none, its consumers are recreated.
    async fn look_after(&mut self) -> Result<(), GridError> {
        if self.list.handed_out == 0 || !self.grid.connection.is_connected() {
            return Ok(());
        }
        if let Some(why) = self.watch.trouble() {
            return Err(GridError::Full { what: "results".to_owned(), why });
        }
        let Nats { streams, coordination, run, .. } = self.grid;
        for _ in 0..2 {
            let left = timeout(ANSWER, streams.left(&coordination.signature, run)).await;
            self.health.unanswered = if left.is_ok() { 0 } else { self.health.unanswered + 1 };
            match left {
                Ok(Some((0, 0))) => {}
                Ok(Some((tasks, results))) => {
                    if streams.mend(&coordination.signature, run, tasks, results).await {
                        self.grid.log("the server had lost count of its messages; its queues were made anew");
                        self.grid.open_supply().await;
                    }
                    return Ok(());
                }
                Ok(None) if self.grid.connection.is_connected() => {
                    self.grid.restore().await;
                    return Ok(());
                }
                Err(_) if self.health.unanswered >= MAX_UNANSWERED => {
                    let (address, what) =
                        (self.grid.connection.address.clone(), "what it has of the run".to_owned());
                    let why =
                        "it does not answer; its log says why, and a full disk is a likely reason".to_owned();
                    return Err(GridError::Server { address, what, why });
                }
                _ => return Ok(()),
            }
            // A result may be in transit.
            sleep(PAUSE).await;
        }
        // Tasks under review have timeouts of their own.
        let mut lost = self.list.outstanding();
        lost.retain(|index| !self.reviews.contains_key(index));
        if lost.is_empty() {
            return Ok(());
        }
        self.grid.log(&format!("the server has lost {} tasks; they are handed out again", lost.len()));
        for index in lost {
            self.list.repeat(index);
        }
        Ok(())
    }
}

/// The form in which results are compared.
fn text_of<T: Task>(done: &T::Done) -> String {
    serde_json::to_string(done).expect("it was read before")
}
