//! Reviews: which results are computed a second time, by whom, and what follows.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::spawn_blocking;

use super::Run;
use crate::error::GridError;
use crate::nats::coordinator::review::{Assignee, Review, Step, SubmittedResult};
use crate::nats::coordinator::secret::Decision;
use crate::nats::protocol::{PROTOCOL, WorkerReply};
use crate::task::Task;

/// How often a worker is asked again for a second result that it has not sent.
const ASKED_AGAIN: Duration = Duration::from_secs(3);
/// After this long without it, another worker is asked.
const LONGEST_REVIEW: Duration = Duration::from_mins(15);
/// The coordinator itself computes one in this many second results, so that colluding accounts are found too.
const OWN_REVIEWS: u64 = 8;

/// Result of a task that the coordinator computes itself, with its index.
pub(super) type Trial = Pin<Box<dyn Future<Output = (usize, Result<String, String>)>>>;

impl<T: Task> Run<'_, T> {
    /// Handles a result: it counts, needs a second one, or is the second one. Returns whether to acknowledge it.
    pub(super) fn weigh(
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
    pub(super) fn is_compared(&self, index: usize) -> bool {
        let coordination = &self.grid.coordination;
        coordination.secret.share(Decision::Compare, &self.list.entry(index).key) < coordination.double_check
    }

    /// Performs the steps of a review until it waits or ends; returns whether it ended.
    pub(super) fn settle(&mut self, index: usize) -> Result<bool, GridError> {
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

    /// Sends the queued requests.
    pub(super) async fn ask_workers(&mut self) {
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

    /// Repeats or replaces requests for second results that were not answered.
    pub(super) fn remind(&mut self) -> Result<(), GridError> {
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

    /// Computes a task in the coordinator, on a separate thread.
    pub(super) fn trial(&self, index: usize) -> Trial {
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
    pub(super) fn conclude(&mut self, index: usize, result: Result<String, String>) -> Result<(), GridError> {
        self.health.heard = Instant::now();
        if let Some(review) = self.reviews.get_mut(&index) {
            review.own = Some(result);
            self.settle(index)?;
        }
        Ok(())
    }
}

/// The form in which results are compared.
fn text_of<T: Task>(done: &T::Done) -> String {
    serde_json::to_string(done).expect("it was read before")
}
