//! One list of tasks from beginning to end: what is handed out, what becomes of results, and what to do when nothing is heard.

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
use super::review::{Assignee, Opinion, Review, Step};
use super::secret::Draw;
use super::session::{Nats, PAUSE};
use super::task_list::{Phase, TaskList};
use crate::TICK;
use crate::error::{GridError, SetAside};
use crate::nats::account::{SHARED, is_account};
use crate::nats::connection::{ANSWER, error_chain, is_full};
use crate::nats::protocol::{Answer, Outcome, PROTOCOL, Report};
use crate::nats::worker_monitor::WorkerMonitor;
use crate::status::printable;
use crate::task::{Ledger, Task, Verdict, fingerprint};

/// Tasks that are handed out at a time: enough for the largest crowd of workers, and not all of a long match.
const HANDED_OUT: usize = 4096;
/// Tasks whose arrival the server has not confirmed.
const UNCONFIRMED: usize = 64;
/// A server that is there and takes nothing for so long is broken.
const PATIENCE: Duration = Duration::from_mins(1);
/// When nothing was heard for so long, it is asked whether the server still knows of the tasks.
const SILENCE: Duration = Duration::from_secs(5);
/// A server that is there and does not answer so often, which takes a minute, is broken.
const MOST_UNANSWERED: u32 = 6;
/// How often a worker is asked again for a second opinion that it has not given.
const ASKED_AGAIN: Duration = Duration::from_secs(3);
/// A worker that is there and gives none for so long is passed over.
const LONGEST_REVIEW: Duration = Duration::from_mins(15);
/// One in so many second opinions is the coordinator's own: accounts that conspire are caught too.
const OWN_REVIEWS: u64 = 8;

/// A task that the coordinator computes itself: its place, and what came of it.
type Trial = Pin<Box<dyn Future<Output = (usize, Result<String, String>)>>>;

/// What came of a list of tasks.
pub(super) struct Outcomes {
    pub done: usize,
    pub set_aside: Vec<SetAside>,
    pub enough: bool,
}

/// How the server and the workers have been doing.
struct Health {
    /// When a result was last heard of.
    heard: Instant,
    /// How often in a row the server, though there, did not say what it has.
    unanswered: u32,
    /// Since when the server takes no task.
    stuck: Option<Instant>,
    /// Since when no worker is there.
    alone: Instant,
    /// Whether it was said that nobody is there.
    told_alone: bool,
}

/// One list of tasks being done.
pub(super) struct Run<'a, T: Task> {
    grid: &'a Nats,
    ledger: &'a mut dyn Ledger<T>,
    watch: &'a mut WorkerMonitor,
    records: &'a mut Records,
    list: TaskList<'a, T>,
    /// Which files the tasks share, in one word.
    files: String,
    /// The ledger needs no more.
    enough: bool,
    reviews: HashMap<usize, Review>,
    /// What is to be asked of workers: the place of a task, and where they listen.
    questions: Vec<(usize, Subject)>,
    /// Places of tasks that the coordinator is to compute itself.
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
        let files = grid.parcel().hashes;
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
            for place in std::mem::take(&mut self.own) {
                trials.push(self.trial(place));
            }
            // Results that wait from before come first, so that nothing is done twice.
            while results.old_ones_are_in
                && self.list.handed_out < HANDED_OUT
                && confirmations.len() < UNCONFIRMED
                && let Some(place) = self.list.next()
            {
                let confirmation = grid.publish(&self.list, place).await?;
                self.list.hand_out(place);
                confirmations.push(confirmation);
            }
            tokio::select! {
                Some((place, confirmed)) = confirmations.next(), if !confirmations.is_empty() => {
                    self.confirm(place, confirmed).await?;
                }
                Some((place, result)) = trials.next(), if !trials.is_empty() => self.conclude(place, result)?,
                message = results.next() => {
                    if let Some(message) = message {
                        self.health.heard = Instant::now();
                        // A result whose acknowledgement is lost comes again, and is known.
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

    /// The account that a message is from: by its subject, which the server guards. None where that is no account.
    fn account_of(&self, subject: &str) -> Option<String> {
        if !self.grid.has_accounts {
            return Some(SHARED.to_owned());
        }
        subject.split('.').nth(2).filter(|account| is_account(account)).map(str::to_owned)
    }

    /// A worker tells what came of a task; whether it need not be told again.
    fn hear(&mut self, message: &Message) -> Result<bool, GridError> {
        let (account, report) =
            (self.account_of(&message.subject), serde_json::from_slice::<Report>(&message.payload));
        let (Some(account), Ok(report)) = (account, report) else {
            self.grid.tell("a message among the results is none, and was ignored");
            return Ok(true);
        };
        // Results of tasks that are over: of a generation before, or come twice.
        let Some(place) = self.list.place_of(&report.key) else { return Ok(true) };
        if self.list.entry(place).phase == Phase::Over {
            self.watch.note(|status| status.duplicates += 1);
            return Ok(true);
        }
        self.watch.note(|status| {
            status.redeliveries = status.redeliveries.saturating_add(report.deliveries.saturating_sub(1));
        });
        let Report { attempt, worker, outcome, .. } = report;
        if !self.watch.is_trusted(&account) {
            self.watch.note(|status| status.rejected += 1);
            // Somebody else is to do it; what an earlier attempt is told of was answered by the next.
            if attempt == self.list.entry(place).attempt && !self.reviews.contains_key(&place) {
                self.list.repeat(place);
            }
            return Ok(true);
        }
        let worker = printable(&worker);
        let (why, deadly) = match outcome {
            Outcome::Done(result) => match serde_json::from_str::<T::Done>(result.get()) {
                Ok(done) => return self.weigh(place, account, worker, done, attempt),
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
        if let Some(review) = self.reviews.get_mut(&place) {
            if review.awaits(&account) {
                review.asked = None;
                review.failures.push((account, why.clone()));
                self.grid.tell(&format!("{}: {why}", self.list.id(place)));
                self.settle(place)?;
            }
            return Ok(true);
        }
        self.fail(place, &account, attempt, &why, deadly)?;
        Ok(true)
    }

    /// A result: it counts, waits for a second opinion, or is one. Whether it need not be told again.
    fn weigh(
        &mut self,
        place: usize,
        account: String,
        worker: String,
        done: T::Done,
        attempt: u32,
    ) -> Result<bool, GridError> {
        if let Some(review) = self.reviews.get_mut(&place) {
            if !review.awaits(&account) {
                // A result that waits comes again; nobody else was asked.
                return Ok(review.results.iter().all(|known| known.account != account));
            }
            let result = text_of::<T>(&done);
            review.asked = None;
            review.results.push(Opinion { account, worker, result });
            return self.settle(place);
        }
        if self.is_compared(place) {
            let result = text_of::<T>(&done);
            self.reviews.insert(place, Review::of_result(Opinion { account, worker, result }));
            return self.settle(place);
        }
        if let Err(why) = self.count(place, done, Some(&account))? {
            let why = format!("a result of worker {worker} was rejected: {why}");
            self.fail(place, &account, attempt, &why, false)?;
        }
        Ok(true)
    }

    /// Whether the result of a task is one of those that need a second opinion.
    fn is_compared(&self, place: usize) -> bool {
        let coordination = &self.grid.coordination;
        coordination.secret.share(Draw::Compare, &self.list.entry(place).key) < coordination.double_check
    }

    /// Does what a review asks for, until it waits for somebody or is over; whether it is over.
    fn settle(&mut self, place: usize) -> Result<bool, GridError> {
        let Some(review) = self.reviews.get_mut(&place) else { return Ok(false) };
        match review.step() {
            Step::Wait => Ok(false),
            Step::AskCoordinator => {
                review.asked = Some(Assignee::Coordinator);
                self.own.push(place);
                Ok(false)
            }
            Step::AskAnother => {
                self.ask_another(place);
                Ok(false)
            }
            Step::Accept { by, result, wrong, compared } => {
                self.reviews.remove(&place);
                if compared {
                    self.watch.note(|status| status.checked += 1);
                }
                let right = match &by {
                    Some(opinion) => format!("that of account {}", opinion.account),
                    None => "the coordinator's".to_owned(),
                };
                for opinion in wrong {
                    let why = format!("its result of {} is not {right}", self.list.id(place));
                    self.catch(&opinion, &why)?;
                }
                let done = serde_json::from_str(&result).expect("it was read before");
                let account = by.as_ref().map(|opinion| opinion.account.as_str());
                if let Err(why) = self.count(place, done, account)? {
                    match by {
                        Some(Opinion { account, worker, .. }) => {
                            let why = format!("a result of worker {worker} was rejected: {why}");
                            let attempt = self.list.entry(place).attempt;
                            self.fail(place, &account, attempt, &why, false)?;
                        }
                        None => {
                            self.give_up(place, format!("the coordinator's own result was rejected: {why}"));
                        }
                    }
                }
                Ok(true)
            }
            Step::GiveUp(why) => {
                self.reviews.remove(&place);
                self.give_up(place, why);
                Ok(true)
            }
        }
    }

    /// Asks a worker of another account for a second opinion. Which account is drawn with the secret, so that nobody can arrange to be
    /// asked about its own friends. Now and then, and where there is no other account, the coordinator computes the task itself.
    fn ask_another(&mut self, place: usize) {
        let Some(review) = self.reviews.get_mut(&place) else { return };
        let (key, secret) = (&self.list.entry(place).key, &self.grid.coordination.secret);
        let own = review.compare && secret.draw(Draw::Own, key) % OWN_REVIEWS == 0;
        let other = if own || !self.grid.has_accounts {
            None
        } else {
            self.watch.another(|account| review.knows(account), secret.draw(Draw::Account, key))
        };
        if let Some((account, worker, inbox)) = other {
            let now = Instant::now();
            review.asked = Some(Assignee::Worker { account, worker, first: now, last: now });
            self.questions.push((place, inbox));
            return;
        }
        // Others may not have had the time to say that they are there.
        if self.grid.has_accounts && !own && !self.watch.knows_all() {
            return;
        }
        if review.compare && !own && self.watch.accounts() < 2 {
            self.grid.tell_of_one_account();
        }
        review.asked = Some(Assignee::Coordinator);
        self.own.push(place);
    }

    /// Has the ledger judge a result; what is wrong with it, if anything is.
    fn count(
        &mut self,
        place: usize,
        done: T::Done,
        account: Option<&str>,
    ) -> Result<Result<(), String>, GridError> {
        self.records.count(self.list.id(place), &self.files, account)?;
        match self.ledger.done(place, done) {
            Verdict::Rejected(why) => {
                self.watch.note(|status| status.rejected += 1);
                return Ok(Err(why));
            }
            Verdict::Counted => {}
            Verdict::Enough => self.enough = true,
        }
        self.list.count(place, account);
        Ok(Ok(()))
    }

    /// An account could not do a task: there is another attempt, or it is reviewed whether anybody can.
    fn fail(
        &mut self,
        place: usize,
        account: &str,
        attempt: u32,
        why: &str,
        deadly: bool,
    ) -> Result<(), GridError> {
        self.grid.tell(&format!("{}: {why}", self.list.id(place)));
        self.list.fail(place, account, why);
        let entry = self.list.entry(place);
        // What an earlier attempt is told of was answered by the next.
        if attempt != entry.attempt {
            return Ok(());
        }
        if !deadly && attempt < self.grid.coordination.tries {
            self.list.retry(place);
            return Ok(());
        }
        let review = Review::of_failures(entry.failures.clone(), self.is_compared(place), deadly);
        self.reviews.insert(place, review);
        self.settle(place)?;
        Ok(())
    }

    fn give_up(&mut self, place: usize, why: String) {
        let task = self.list.give_up(place, why);
        self.grid.tell(&format!("{} is set aside: {}", task.id, task.why));
        self.watch.note(|status| status.set_aside.push(task));
    }

    /// An account gave a wrong result: nothing of it is counted any more, and all that was is taken back and computed again.
    fn catch(&mut self, opinion: &Opinion, why: &str) -> Result<(), GridError> {
        let account = opinion.account.as_str();
        if !self.watch.is_trusted(account) {
            return Ok(());
        }
        if !self.grid.has_accounts {
            return self.discard_all(&opinion.worker, why);
        }
        self.records.catch(account, why)?;
        self.watch.distrust(account, why);
        let places = self.list.counted_by(account);
        let counted = places.len() + self.records.earlier(account, &self.files)?.len();
        let counted = match counted {
            0 => "none of its results was counted".to_owned(),
            1 => "its one result that was counted is taken back and computed again".to_owned(),
            count => format!("{count} results of it that were counted are taken back and computed again"),
        };
        self.grid.tell(&format!("account {account} is not trusted any more: {why}; {counted}"));
        self.take_back(&places)?;
        self.retract_earlier(account)?;
        let emptied: Vec<usize> = self
            .reviews
            .iter_mut()
            .filter_map(|(place, review)| (!review.forget(account)).then_some(*place))
            .collect();
        for place in emptied {
            self.reviews.remove(&place);
            self.list.repeat(place);
        }
        Ok(())
    }

    /// Takes back counted results of this list, and hands out their tasks again.
    fn take_back(&mut self, places: &[usize]) -> Result<(), GridError> {
        if !places.is_empty() {
            self.ledger.retract(places).map_err(GridError::Retract)?;
            self.list.retract(places);
            self.watch.note(|status| status.retracted += places.len() as u64);
        }
        Ok(())
    }

    /// Where all workers are one account, none of its results can be trusted: all are taken back, and the run ends, so that a person
    /// looks for the machine that is wrong.
    fn discard_all(&mut self, worker: &str, why: &str) -> Result<(), GridError> {
        let places = self.list.counted_by(SHARED);
        self.take_back(&places)?;
        let discarded = places.len() + self.retract_earlier(SHARED)?;
        Err(GridError::Untrusted { worker: worker.to_owned(), why: why.to_owned(), discarded })
    }

    /// Takes back what an account gave before this list; how many results.
    fn retract_earlier(&mut self, account: &str) -> Result<usize, GridError> {
        let earlier = self.records.earlier(account, &self.files)?;
        if !earlier.is_empty() {
            self.ledger.retract_earlier(&earlier).map_err(GridError::Retract)?;
            self.watch.note(|status| status.retracted += earlier.len() as u64);
        }
        self.records.retracted(account)?;
        Ok(earlier.len())
    }

    /// A process before this one may have been killed after it caught somebody, and before all results were taken back.
    fn retract_leftovers(&mut self) -> Result<(), GridError> {
        let caught: Vec<String> = self.records.caught().keys().cloned().collect();
        for account in caught {
            let count = self.retract_earlier(&account)?;
            if count > 0 {
                self.grid
                    .tell(&format!("{count} results of account {account}, which was caught, are taken back"));
            }
        }
        Ok(())
    }

    /// A task that the coordinator computes itself, on a thread beside.
    fn trial(&self, place: usize) -> Trial {
        let (referee, shared) = (Arc::clone(&self.grid.referee), self.grid.parcel().shared);
        let task = serde_json::to_string(&self.list.tasks[place]).expect("it was written before");
        // The person who started this run named its programs; but where workers do not start them, nor does it.
        let programs = self.reviews.get(&place).is_some_and(|review| review.deadly);
        let work = spawn_blocking(move || referee.perform(T::KIND, &shared, &task, programs));
        Box::pin(async move {
            let result = work.await.map_err(|error| error.to_string()).flatten();
            let read = result.and_then(|result| {
                let done = serde_json::from_str::<T::Done>(result.get());
                done.map(|done| text_of::<T>(&done)).map_err(|error| format!("it cannot be read: {error}"))
            });
            (place, read)
        })
    }

    /// The coordinator has computed a task itself.
    fn conclude(&mut self, place: usize, result: Result<String, String>) -> Result<(), GridError> {
        self.health.heard = Instant::now();
        if let Some(review) = self.reviews.get_mut(&place) {
            review.own = Some(result);
            self.settle(place)?;
        }
        Ok(())
    }

    /// Looks after those who were asked for a second opinion and have not answered.
    fn remind(&mut self) -> Result<(), GridError> {
        let places: Vec<usize> = self.reviews.keys().copied().collect();
        for place in places {
            let Some(review) = self.reviews.get_mut(&place) else { continue };
            match &mut review.asked {
                Some(Assignee::Coordinator) => continue,
                Some(Assignee::Worker { account, worker, first, last }) => {
                    let inbox = self.watch.inbox_of(account, worker);
                    if let Some(inbox) = inbox.filter(|_| first.elapsed() < LONGEST_REVIEW) {
                        if last.elapsed() > ASKED_AGAIN {
                            *last = Instant::now();
                            self.questions.push((place, inbox));
                        }
                        continue;
                    }
                    let gone = account.clone();
                    review.silent.push(gone);
                    review.asked = None;
                }
                None => {}
            }
            self.settle(place)?;
        }
        Ok(())
    }

    /// Sends what is to be asked.
    async fn ask_workers(&mut self) {
        for (place, inbox) in std::mem::take(&mut self.questions) {
            // What is not heard now is asked again.
            let Ok(order) = self.grid.order(&self.list, place).await else { continue };
            let check = Some(Box::new(order));
            let answer = Answer { protocol: Some(PROTOCOL), welcome: true, check, ..Answer::default() };
            let answer = serde_json::to_vec(&answer).expect("texts can be written");
            let _ = self.grid.connection.client.publish(inbox, answer.into()).await;
        }
    }

    /// The server has a task, or has not.
    async fn confirm(&mut self, place: usize, confirmed: Result<(), PublishError>) -> Result<(), GridError> {
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
        // Published again under the same id, it is not there twice.
        self.list.take_back(place);
        if error.kind() == PublishErrorKind::StreamNotFound && connection.is_connected() {
            self.grid.restore().await;
        }
        sleep(PAUSE).await;
        Ok(())
    }

    /// Says once that no worker is there, when none has come for a while.
    fn say_if_alone(&mut self) {
        let health = &mut self.health;
        if !self.watch.is_empty() {
            health.told_alone = false;
            health.alone = Instant::now();
        } else if !health.told_alone && health.alone.elapsed() > SILENCE {
            health.told_alone = true;
            let address = &self.grid.connection.address;
            self.grid.tell(&format!("no worker is there; start some: tabia worker --grid {address}"));
        }
    }

    /// Nothing was heard for a while. If workers say that the server is full, it ends here. If the server knows neither of tasks nor of results of this run, what was handed out is lost; if it
    /// has some and hands out none, its queues are made anew.
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
                        self.grid
                            .tell("the server had lost count of its messages; its queues were made anew");
                        self.grid.open_supply().await;
                    }
                    return Ok(());
                }
                Ok(None) if self.grid.connection.is_connected() => {
                    self.grid.restore().await;
                    return Ok(());
                }
                Err(_) if self.health.unanswered >= MOST_UNANSWERED => {
                    let (address, what) =
                        (self.grid.connection.address.clone(), "what it has of the run".to_owned());
                    let why =
                        "it does not answer; its log says why, and a full disk is a likely reason".to_owned();
                    return Err(GridError::Server { address, what, why });
                }
                _ => return Ok(()),
            }
            // A result may be on its way from the server to here.
            sleep(PAUSE).await;
        }
        // Tasks under review are waited for elsewhere.
        let mut lost = self.list.outstanding();
        lost.retain(|place| !self.reviews.contains_key(place));
        if lost.is_empty() {
            return Ok(());
        }
        self.grid.tell(&format!("the server has lost {} tasks; they are handed out again", lost.len()));
        for place in lost {
            self.list.repeat(place);
        }
        Ok(())
    }
}

/// A result as results are compared.
fn text_of<T: Task>(done: &T::Done) -> String {
    serde_json::to_string(done).expect("it was read before")
}
