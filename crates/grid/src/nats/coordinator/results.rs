//! Results: as the server hands them over, and what is made of them.

use std::future::pending;
use std::time::Duration;

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::pull::Batch;
use futures_util::StreamExt;
use tokio::time::{sleep, timeout};

use super::checking::Finding;
use super::run::{Phase, Run};
use super::{Nats, PAUSE};
use crate::error::SetAside;
use crate::nats::link::ANSWER;
use crate::nats::watch::Watch;
use crate::nats::wire::{Outcome, Report};
use crate::task::{Ledger, Task, Verdict};

/// Results asked for at once, and how long the server keeps such a request.
const RESULTS_AT_ONCE: usize = 256;
const REQUEST: Duration = Duration::from_secs(5);

impl<T: Task> Run<'_, T> {
    /// A worker tells what came of a task; whether it need not be told again.
    pub(super) fn hear(&mut self, message: &Message, ledger: &mut dyn Ledger<T>, watch: &mut Watch) -> bool {
        let Ok(report) = serde_json::from_slice::<Report>(&message.payload) else {
            (self.grid.tell)("a message among the results is none, and was ignored");
            return true;
        };
        // Results of tasks that are over: of a generation before, or come twice.
        let Some(place) = self.places.get(&report.key).copied() else { return true };
        if self.entries[place].phase == Phase::Over {
            watch.note(|status| status.duplicates += 1);
            return true;
        }
        watch.note(|status| status.redeliveries += report.deliveries.saturating_sub(1));
        let Report { attempt, worker, outcome, .. } = report;
        if !watch.is_trusted(&worker) {
            watch.note(|status| status.rejected += 1);
            // Somebody else is to do it; what an earlier attempt is told of was answered by the next.
            if attempt == self.entries[place].attempt && !self.checks.contains_key(&place) {
                self.entries[place].again += 1;
                self.queue_again(place);
            }
            return true;
        }
        let failure = match outcome {
            Outcome::Done(result) => {
                let read = serde_json::from_str::<T::Done>(result.get());
                match read {
                    Ok(done) if self.is_checked(place) => {
                        let result = serde_json::to_string(&done).expect("it was written before");
                        let finding = self.weigh(place, &worker, result, watch);
                        return self.accept(place, finding, ledger, watch);
                    }
                    Ok(done) => match self.count(place, done, &worker, ledger, watch) {
                        Ok(()) => return true,
                        Err(failure) => failure,
                    },
                    Err(error) => {
                        watch.note(|status| status.rejected += 1);
                        format!("a result of worker {worker} was rejected: it cannot be read: {error}")
                    }
                }
            }
            Outcome::Failed(why) => {
                watch.note(|status| status.failures += 1);
                format!("worker {worker} failed: {why}")
            }
            Outcome::Dead(times) => {
                watch.note(|status| status.failures += 1);
                let why = format!("handed out {times} times, and its workers were never heard of again");
                if !self.checks.contains_key(&place) {
                    self.give_up(place, why, watch);
                }
                return true;
            }
        };
        if self.checks.contains_key(&place) {
            (self.grid.tell)(&format!("{}: {failure}", self.tasks[place].id()));
            let finding = self.pass_over(place, &worker, watch);
            self.accept(place, finding, ledger, watch);
            return true;
        }
        self.try_again(place, attempt, failure, watch);
        true
    }

    /// Does what follows from a finding; whether it is final.
    pub(super) fn accept(
        &mut self,
        place: usize,
        finding: Finding,
        ledger: &mut dyn Ledger<T>,
        watch: &mut Watch,
    ) -> bool {
        match finding {
            Finding::Open => return false,
            Finding::Torn(why) => self.give_up(place, why, watch),
            Finding::Settled { worker, result } => {
                let done = serde_json::from_str(&result).expect("it was read before");
                if let Err(failure) = self.count(place, done, &worker, ledger, watch) {
                    self.try_again(place, self.entries[place].attempt, failure, watch);
                }
            }
        }
        true
    }

    /// Has the ledger judge a result; what is wrong with it, if anything is.
    fn count(
        &mut self,
        place: usize,
        done: T::Done,
        worker: &str,
        ledger: &mut dyn Ledger<T>,
        watch: &mut Watch,
    ) -> Result<(), String> {
        match ledger.done(place, done) {
            Verdict::Rejected(why) => {
                watch.note(|status| status.rejected += 1);
                return Err(format!("a result of worker {worker} was rejected: {why}"));
            }
            Verdict::Counted => {}
            Verdict::Enough => self.enough = true,
        }
        watch.count(worker);
        self.close(place);
        self.done += 1;
        Ok(())
    }

    /// An attempt failed: there is another, or there were enough.
    fn try_again(&mut self, place: usize, attempt: u32, failure: String, watch: &Watch) {
        (self.grid.tell)(&format!("{}: {failure}", self.tasks[place].id()));
        // What an earlier attempt is told of was answered by the next.
        if attempt != self.entries[place].attempt {
            return;
        }
        if attempt >= self.grid.coordination.tries {
            self.give_up(place, failure, watch);
            return;
        }
        self.entries[place].attempt += 1;
        self.queue_again(place);
    }

    fn close(&mut self, place: usize) {
        let entry = &mut self.entries[place];
        if entry.phase == Phase::HandedOut {
            self.handed_out -= 1;
        }
        entry.phase = Phase::Over;
    }

    fn give_up(&mut self, place: usize, why: String, watch: &Watch) {
        self.close(place);
        let task = SetAside { id: self.tasks[place].id(), why };
        (self.grid.tell)(&format!("{} is set aside: {}", task.id, task.why));
        watch.note(|status| status.set_aside.push(task.clone()));
        self.set_aside.push(task);
    }
}

/// Results as the server hands them over.
#[derive(Default)]
pub(super) struct Results {
    batch: Option<Batch>,
    /// Which connection it was asked over.
    connection: u64,
    heard: usize,
    pub old_ones_are_in: bool,
}

impl Results {
    /// Makes sure that results are asked for.
    pub async fn ask(&mut self, grid: &Nats) {
        if self.connection != grid.link.times() {
            self.batch = None;
        }
        if self.batch.is_some() {
            return;
        }
        let connection = grid.link.times();
        let asked = timeout(ANSWER, async {
            let consumer = grid.supply.results_of(&grid.link, &grid.run).await.ok()?;
            if self.old_ones_are_in {
                consumer.batch().max_messages(RESULTS_AT_ONCE).expires(REQUEST).messages().await.ok()
            } else {
                consumer.fetch().max_messages(RESULTS_AT_ONCE).messages().await.ok()
            }
        });
        self.batch = asked.await.ok().flatten();
        self.connection = connection;
        self.heard = 0;
        if self.batch.is_none() {
            sleep(PAUSE).await;
        }
    }

    /// The next one; none when it must be asked again.
    pub async fn next(&mut self) -> Option<Message> {
        let Some(batch) = &mut self.batch else { return pending().await };
        match batch.next().await {
            Some(Ok(message)) => {
                self.heard += 1;
                Some(message)
            }
            ended => {
                // The first time that there are none, all that waited are here.
                self.old_ones_are_in |= ended.is_none() && self.heard == 0;
                self.batch = None;
                None
            }
        }
    }
}
