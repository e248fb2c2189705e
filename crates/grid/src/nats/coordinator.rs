//! The coordinator: hands out tasks through the server, and counts each result once.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::future::{Future, pending};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::header::NATS_MESSAGE_ID;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::pull::Batch;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::object_store::ObjectStore;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::value::RawValue;
use tabia_core::Stop;
use tokio::runtime::Runtime;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use super::link::{ANSWER, Access, Link, Signature, in_words, is_full, runtime};
use super::supply::{Supply, result_subject, results_queue, task_subject};
use super::watch::Watch;
use super::wire::{Order, Outcome, Report};
use super::{RESULTS, TASKS, blobs};
use crate::TICK;
use crate::error::{GridError, SetAside};
use crate::status::Status;
use crate::task::{Grid, Ledger, Shared, Task, Verdict, fingerprint};

/// Tasks that are handed out at a time: enough for the largest crowd of workers, and not all of a long match.
const HANDED_OUT: usize = 4096;
/// Tasks whose arrival the server has not confirmed.
const UNCONFIRMED: usize = 64;
/// Results asked for at once, and how long the server keeps such a request.
const RESULTS_AT_ONCE: usize = 256;
const REQUEST: Duration = Duration::from_secs(5);
/// Larger tasks travel as blobs.
const LARGE: usize = 128 * 1024;
/// When nothing was heard for so long, it is asked whether the server still knows of the tasks.
const SILENCE: Duration = Duration::from_secs(5);
/// A server that is there and takes nothing for so long is broken.
const PATIENCE: Duration = Duration::from_mins(1);
/// A pause after something failed.
const PAUSE: Duration = Duration::from_millis(200);

/// How a run is coordinated.
#[derive(Clone, Debug)]
pub struct Coordination {
    /// What its workers must be known by.
    pub signature: Signature,
    /// How long a worker may be silent before its task is handed to another.
    pub lease: Duration,
    /// How often a task is tried.
    pub tries: u32,
    /// On how many servers of a cluster everything is kept.
    pub replicas: usize,
    /// Files that tasks share.
    pub shared: Shared,
    /// What the run is called: the same for as long as it lasts, and no other run's. None for one that cannot be resumed.
    pub run: Option<String>,
    /// Where it is told how it goes: `grid.json`.
    pub status_file: Option<PathBuf>,
}

/// Workers, through a NATS server.
pub struct Nats {
    runtime: Runtime,
    link: Link,
    supply: Supply,
    blobs: ObjectStore,
    coordination: Coordination,
    run: String,
    /// Published messages of this process are told from those of one before it.
    session: String,
    /// Shared files: their hashes.
    files: BTreeMap<String, String>,
    status: Arc<Mutex<Status>>,
    watch: Mutex<Watch>,
    tell: Box<dyn Fn(&str) + Send + Sync>,
}

impl Nats {
    /// Connects, and makes sure that the server has all that is needed. `tell` hears what a person should know of.
    pub fn open(
        access: &Access,
        coordination: Coordination,
        tell: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<Nats, GridError> {
        let runtime = runtime()?;
        let Coordination { signature, lease, replicas, shared, .. } = &coordination;
        let (link, supply, blobs, files) = runtime.block_on(async {
            let link = Link::connect(access, "tabia coordinator").await?;
            let supply = Supply::open(&link, signature, *lease, *replicas).await?;
            let blobs = blobs::open(&link, *replicas).await?;
            let mut files = BTreeMap::new();
            for (name, bytes) in &shared.files {
                files.insert(name.clone(), blobs::put(&link, &blobs, bytes).await?);
            }
            Ok::<_, GridError>((link, supply, blobs, files))
        })?;
        let (session, run) =
            (link.fresh_word(), coordination.run.clone().unwrap_or_else(|| link.fresh_word()));
        let server = link.address.clone();
        let status = Status { server, run: run.clone(), connected: true, ..Status::default() };
        let status = Arc::new(Mutex::new(status));
        let watch = Mutex::new(Watch::new(status.clone(), coordination.status_file.clone()));
        let tell = Box::new(tell);
        Ok(Nats { runtime, link, supply, blobs, coordination, run, session, files, status, watch, tell })
    }

    /// Where it stands.
    pub fn status(&self) -> Status {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The run is over: nothing of it is left on the server, and the last status is written.
    pub fn finish(&self, complete: bool) {
        let watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        watch.note(|status| status.running = false);
        watch.write();
        self.runtime.block_on(async {
            self.forget_tasks().await;
            if complete {
                // What stays behind is forgotten by the server in its time.
                let purge = self.supply.results.purge().filter(result_subject(&self.run));
                let _ = timeout(ANSWER, async { purge.await }).await;
                let name = results_queue(&self.run);
                let _ = timeout(ANSWER, self.supply.results.delete_consumer(&name)).await;
            }
        });
    }

    /// Takes back what is handed out.
    async fn forget_tasks(&self) {
        let purge = self.supply.tasks.purge().filter(task_subject(&self.coordination.signature, &self.run));
        let _ = timeout(ANSWER, async { purge.await }).await;
    }

    /// The hash of a task and of all it depends on.
    fn key<T: Task>(&self, task: &RawValue) -> String {
        let about = (T::KIND, &self.run, self.coordination.signature.to_string(), &self.files, task);
        fingerprint(&serde_json::to_vec(&about).expect("texts can be written"))
    }
}

/// Where a task stands.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Phase {
    Queued,
    HandedOut,
    Over,
}

struct Entry {
    key: String,
    phase: Phase,
    /// How often it was asked for, from 1.
    attempt: u32,
    /// How often the same attempt was published anew, because the server had forgotten it.
    again: u32,
}

type Confirmation = Pin<Box<dyn Future<Output = (usize, Result<(), PublishError>)>>>;

/// One list of tasks being done.
struct Run<'a, T: Task> {
    grid: &'a Nats,
    tasks: &'a [T],
    entries: Vec<Entry>,
    places: HashMap<String, usize>,
    queue: VecDeque<usize>,
    handed_out: usize,
    done: usize,
    set_aside: Vec<SetAside>,
    enough: bool,
    heard: Instant,
    /// Since when the server takes no task.
    stuck: Option<Instant>,
    begun: Instant,
    /// Whether it was said that nobody is there.
    alone: bool,
}

impl<T: Task> Grid<T> for Nats {
    fn run(&self, tasks: &[T], stop: &Stop, ledger: &mut dyn Ledger<T>) -> Result<(), GridError> {
        if tasks.is_empty() || stop.is_stopped() {
            return Ok(());
        }
        let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        watch.begin(tasks.len());
        let mut run = Run::new(self, tasks)?;
        let ending = self.runtime.block_on(run.conduct(stop, ledger, &mut watch));
        watch.bring_up_to_date(&self.link, run.done, 0);
        self.runtime.block_on(self.forget_tasks());
        ending?;
        if run.set_aside.is_empty() || run.enough {
            return Ok(());
        }
        Err(GridError::SetAside { tasks: run.set_aside, tries: self.coordination.tries })
    }
}

impl<'a, T: Task> Run<'a, T> {
    fn new(grid: &'a Nats, tasks: &'a [T]) -> Result<Run<'a, T>, GridError> {
        let mut entries = Vec::with_capacity(tasks.len());
        let mut places = HashMap::with_capacity(tasks.len());
        for (place, task) in tasks.iter().enumerate() {
            let failed =
                |error: serde_json::Error| GridError::Failed { id: task.id(), why: error.to_string() };
            let key = grid.key::<T>(&serde_json::value::to_raw_value(task).map_err(failed)?);
            places.insert(key.clone(), place);
            entries.push(Entry { key, phase: Phase::Queued, attempt: 1, again: 0 });
        }
        let queue = (0..tasks.len()).collect();
        Ok(Run {
            grid,
            tasks,
            entries,
            places,
            queue,
            handed_out: 0,
            done: 0,
            set_aside: Vec::new(),
            enough: false,
            heard: Instant::now(),
            stuck: None,
            begun: Instant::now(),
            alone: false,
        })
    }

    fn is_over(&self) -> bool {
        self.enough || self.done + self.set_aside.len() == self.tasks.len()
    }

    async fn conduct(
        &mut self,
        stop: &Stop,
        ledger: &mut dyn Ledger<T>,
        watch: &mut Watch,
    ) -> Result<(), GridError> {
        let link = &self.grid.link;
        self.grid.forget_tasks().await;
        let mut workers =
            link.client.subscribe("tabia.worker.>").await.map_err(link.refused("news of workers"))?;
        let mut confirmations: FuturesUnordered<Confirmation> = FuturesUnordered::new();
        let mut results = Results::default();
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !self.is_over() {
            results.ask(self.grid).await;
            // Results that wait from before come first, so that nothing is done twice.
            while results.old_ones_are_in
                && self.handed_out < HANDED_OUT
                && confirmations.len() < UNCONFIRMED
                && let Some(place) = self.queue.pop_front()
            {
                if self.entries[place].phase == Phase::Queued {
                    confirmations.push(self.hand_out(place).await?);
                }
            }
            tokio::select! {
                Some((place, confirmed)) = confirmations.next(), if !confirmations.is_empty() => {
                    self.confirm(place, confirmed).await?;
                }
                message = results.next() => {
                    if let Some(message) = message {
                        self.heard = Instant::now();
                        self.hear(&message, ledger, watch);
                        // A result whose acknowledgement is lost comes again, and is known.
                        let _ = message.ack().await;
                    }
                }
                Some(message) = workers.next() => watch.hear(message, link, &self.grid.coordination.signature).await,
                _ = ticks.tick() => {
                    watch.refresh(link, self.done, self.handed_out);
                    self.say_if_alone(watch);
                    if stop.is_stopped() || !ledger.tick() {
                        return Ok(());
                    }
                    if self.heard.elapsed() > SILENCE {
                        self.look_after().await;
                        self.heard = Instant::now();
                    }
                }
            }
        }
        Ok(())
    }

    /// Says once that no worker is there, when none has come for a while.
    fn say_if_alone(&mut self, watch: &Watch) {
        if !watch.is_empty() {
            self.alone = false;
            self.begun = Instant::now();
        } else if !self.alone && self.begun.elapsed() > SILENCE {
            self.alone = true;
            (self.grid.tell)(&format!(
                "no worker is there; start some: tabia worker --grid {}",
                self.grid.link.address
            ));
        }
    }

    /// Publishes a task; the server's confirmation comes later.
    async fn hand_out(&mut self, place: usize) -> Result<Confirmation, GridError> {
        let Nats { link, coordination, run, session, files, .. } = self.grid;
        let (task, entry) = (&self.tasks[place], &mut self.entries[place]);
        let body = serde_json::value::to_raw_value(task).expect("it was written before");
        let mut order = Order {
            key: entry.key.clone(),
            run: run.clone(),
            kind: T::KIND.to_owned(),
            id: task.id(),
            attempt: entry.attempt,
            tries: coordination.tries,
            files: files.clone(),
            task: None,
            blob: None,
        };
        if body.get().len() > LARGE {
            order.blob = Some(blobs::put(link, &self.grid.blobs, body.get().as_bytes()).await?);
        } else {
            order.task = Some(body);
        }
        let payload: Bytes = serde_json::to_vec(&order).expect("texts can be written").into();
        let mut headers = HeaderMap::new();
        let id = format!("{}.{session}.{}.{}", entry.key, entry.attempt, entry.again);
        headers.insert(NATS_MESSAGE_ID, id.as_str());
        let subject = task_subject(&coordination.signature, run);
        entry.phase = Phase::HandedOut;
        self.handed_out += 1;
        let context = link.context.clone();
        Ok(Box::pin(async move {
            let publish =
                async { context.publish_with_headers(subject, headers, payload).await?.await.map(|_| ()) };
            let late = || Err(PublishError::new(PublishErrorKind::TimedOut));
            (place, timeout(2 * ANSWER, publish).await.unwrap_or_else(|_| late()))
        }))
    }

    /// The server has a task, or has not.
    async fn confirm(&mut self, place: usize, confirmed: Result<(), PublishError>) -> Result<(), GridError> {
        let Err(error) = confirmed else {
            self.stuck = None;
            return Ok(());
        };
        let why = in_words(&error);
        if is_full(&why) {
            return Err(GridError::Full { what: "tasks".to_owned(), why });
        }
        let link = &self.grid.link;
        let since = *self.stuck.get_or_insert_with(Instant::now);
        if !link.is_connected() {
            self.stuck = None;
        } else if since.elapsed() > PATIENCE {
            let (address, what) = (link.address.clone(), "tasks to hand out".to_owned());
            return Err(GridError::Server { address, what, why });
        }
        // Published again under the same id, it is not there twice.
        if self.entries[place].phase == Phase::HandedOut {
            self.entries[place].phase = Phase::Queued;
            self.handed_out -= 1;
            self.queue.push_front(place);
        }
        if error.kind() == PublishErrorKind::StreamNotFound && link.is_connected() {
            self.grid.restore().await;
        }
        sleep(PAUSE).await;
        Ok(())
    }

    /// A worker tells what came of a task.
    fn hear(&mut self, message: &Message, ledger: &mut dyn Ledger<T>, watch: &Watch) {
        let Ok(report) = serde_json::from_slice::<Report>(&message.payload) else {
            (self.grid.tell)("a message among the results is none, and was ignored");
            return;
        };
        // Results of tasks that are over: of a generation before, or come twice.
        let Some(place) = self.places.get(&report.key).copied() else { return };
        let entry = &self.entries[place];
        if entry.phase == Phase::Over {
            watch.note(|status| status.duplicates += 1);
            return;
        }
        watch.note(|status| status.redeliveries += report.deliveries.saturating_sub(1));
        let failure = match report.outcome {
            Outcome::Done(result) => {
                let read = serde_json::from_str::<T::Done>(result.get());
                let verdict = match read {
                    Ok(done) => ledger.done(place, done),
                    Err(error) => Verdict::Rejected(format!("it cannot be read: {error}")),
                };
                match verdict {
                    Verdict::Counted => {
                        self.close(place);
                        self.done += 1;
                        return;
                    }
                    Verdict::Enough => {
                        self.close(place);
                        self.done += 1;
                        self.enough = true;
                        return;
                    }
                    Verdict::Rejected(why) => {
                        watch.note(|status| status.rejected += 1);
                        format!("a result of worker {} was rejected: {why}", report.worker)
                    }
                }
            }
            Outcome::Failed(why) => {
                watch.note(|status| status.failures += 1);
                format!("worker {} failed: {why}", report.worker)
            }
            Outcome::Dead(times) => {
                watch.note(|status| status.failures += 1);
                let why = format!("handed out {times} times, and its workers were never heard of again");
                self.give_up(place, why, watch);
                return;
            }
        };
        (self.grid.tell)(&format!("{}: {failure}", self.tasks[place].id()));
        // What an earlier attempt is told of was answered by the next.
        if report.attempt != self.entries[place].attempt {
            return;
        }
        if report.attempt >= self.grid.coordination.tries {
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

    fn queue_again(&mut self, place: usize) {
        let entry = &mut self.entries[place];
        if entry.phase == Phase::HandedOut {
            self.handed_out -= 1;
        }
        entry.phase = Phase::Queued;
        self.queue.push_back(place);
    }

    /// Nothing was heard for a while. If the server knows neither of tasks nor of results of this run, what was handed out is lost; if it
    /// has some and hands out none, its queues are made anew.
    async fn look_after(&mut self) {
        if self.handed_out == 0 || !self.grid.link.is_connected() {
            return;
        }
        let Nats { supply, coordination, run, .. } = self.grid;
        for _ in 0..2 {
            match timeout(ANSWER, supply.left(&coordination.signature, run)).await {
                Ok(Some((0, 0))) => {}
                Ok(Some((tasks, results))) => {
                    if supply.mend(&coordination.signature, run, tasks, results).await {
                        (self.grid.tell)(
                            "the server had lost count of its messages; its queues were made anew",
                        );
                        self.grid.open_supply().await;
                    }
                    return;
                }
                Ok(None) if self.grid.link.is_connected() => {
                    self.grid.restore().await;
                    return;
                }
                _ => return,
            }
            // A result may be on its way from the server to here.
            sleep(PAUSE).await;
        }
        let lost: Vec<usize> =
            (0..self.tasks.len()).filter(|place| self.entries[*place].phase == Phase::HandedOut).collect();
        (self.grid.tell)(&format!("the server has lost {} tasks; they are handed out again", lost.len()));
        for place in lost {
            self.entries[place].again += 1;
            self.queue_again(place);
        }
    }
}

impl Nats {
    /// Makes sure that streams and queues are there. What fails is tried again when nothing is heard the next time.
    async fn open_supply(&self) {
        let Coordination { signature, lease, replicas, .. } = &self.coordination;
        let _ = Supply::open(&self.link, signature, *lease, *replicas).await;
    }

    /// Makes again what a server without its files has lost.
    async fn restore(&self) {
        let Coordination { replicas, shared, .. } = &self.coordination;
        for name in [TASKS, RESULTS] {
            if timeout(ANSWER, self.link.context.get_stream(name)).await.is_ok_and(|found| found.is_ok()) {
                continue;
            }
            self.open_supply().await;
            if let Ok(store) = blobs::open(&self.link, *replicas).await {
                for bytes in shared.files.values() {
                    let _ = blobs::put(&self.link, &store, bytes).await;
                }
            }
            return;
        }
    }
}

/// Results as the server hands them over.
#[derive(Default)]
struct Results {
    batch: Option<Batch>,
    /// Which connection it was asked over.
    connection: u64,
    heard: usize,
    old_ones_are_in: bool,
}

impl Results {
    /// Makes sure that results are asked for.
    async fn ask(&mut self, grid: &Nats) {
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
    async fn next(&mut self) -> Option<Message> {
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
