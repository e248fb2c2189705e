//! The worker: takes tasks, executes them, and publishes their results until it is stopped.

use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::header::NATS_MESSAGE_ID;
use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::{AckKind, Message};
use async_nats::{HeaderMap, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt;
use tabia_core::Stop;
use tokio::runtime::Runtime;
use tokio::time::{sleep, timeout};

use super::connection::{ANSWER, Access, Connection, Signature, error_chain, runtime};
use super::protocol::{Outcome, PROTOCOL, Report, TaskMessage, WorkerReply};
use super::streams::{result_subject, worker_subject, workers};
use super::task_handler::{AnyExecutor, TaskHandler};
use super::{TASKS, blobs};
use crate::error::GridError;
use crate::status::WorkerStatus;
use crate::task::SharedFiles;

/// Expiry of a pull request for a task.
const REQUEST: Duration = Duration::from_secs(2);
/// Heartbeat interval.
const NEWS: Duration = Duration::from_secs(2);
/// How long to wait for a coordinator's refusal.
const WELCOME: Duration = Duration::from_secs(1);
/// Delays while there is no task: doubled each time, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// Space for the headers of a message.
const HEADERS: usize = 1024;
/// Number of runs whose executors a thread caches.
const RUNS_KEPT: usize = 4;
/// Number of files a worker caches.
const FILES_KEPT: usize = 256;

/// Events for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Connected, and waiting for tasks.
    Ready,
    /// The connection is lost; it will be retried.
    Lost,
    /// The connection is back.
    Found,
    /// A task failed.
    Failed { id: String, why: String },
    /// A coordinator refuses this worker.
    Unwelcome(String),
}

/// Summary of a worker.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerSummary {
    /// Tasks done.
    pub done: u64,
    /// Tasks that failed.
    pub failed: u64,
}

/// A worker.
pub struct Worker {
    /// Its signature.
    pub signature: Signature,
    /// Its host name.
    pub host: String,
    /// Concurrent tasks.
    pub threads: usize,
    /// Stack size of a task.
    pub stack_bytes: usize,
    /// The kinds of tasks it executes.
    pub task_handlers: Vec<Box<dyn TaskHandler>>,
}

/// A running worker: what its threads share.
struct WorkerContext<'a> {
    worker: &'a Worker,
    id: String,
    /// The account that it publishes as.
    account: String,
    connection: Connection,
    runtime: Runtime,
    stop: &'a Stop,
    tell: &'a (dyn Fn(Event) + Sync),
    files: Mutex<HashMap<String, Arc<Vec<u8>>>>,
    busy: AtomicUsize,
    done: AtomicU64,
    failed: AtomicU64,
    welcome: AtomicBool,
    /// Its inbox.
    inbox: String,
    /// Tasks to be repeated for comparison.
    checking: Mutex<HashSet<String>>,
    /// Why results cannot be published, if so.
    trouble: Mutex<Option<String>>,
    refusal: Mutex<Option<String>>,
}

impl Worker {
    /// Connects and works until `stop` is raised; tasks in progress are finished first.
    pub fn serve(
        &self,
        access: &Access,
        stop: &Stop,
        tell: &(dyn Fn(Event) + Sync),
    ) -> Result<WorkerSummary, GridError> {
        let runtime = runtime()?;
        let account = access.account()?;
        // With the permissions of docs/grid.md, no other account can read below this inbox.
        let inbox = format!("_INBOX.{account}");
        let connection = runtime.block_on(Connection::connect(access, "tabia worker", &inbox))?;
        let id = format!("{}-{}", self.host, connection.unique_token());
        let inbox = connection.client.new_inbox();
        let context = WorkerContext {
            worker: self,
            id,
            account,
            connection,
            runtime,
            stop,
            tell,
            files: Mutex::default(),
            busy: AtomicUsize::new(0),
            done: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            welcome: AtomicBool::new(false),
            inbox,
            checking: Mutex::default(),
            trouble: Mutex::default(),
            refusal: Mutex::default(),
        };
        let answers = context.runtime.block_on(context.introduce())?;
        let (check, checks) = mpsc::channel();
        tell(Event::Ready);
        thread::scope(|scope| {
            for number in 0..self.threads.max(1) {
                let context = &context;
                thread::Builder::new()
                    .name(format!("worker {number}"))
                    .stack_size(self.stack_bytes)
                    .spawn_scoped(scope, move || context.work())
                    .map_err(|error| {
                        stop.stop();
                        GridError::Thread(error)
                    })?;
            }
            let context = &context;
            thread::Builder::new()
                .name("check".to_owned())
                .stack_size(self.stack_bytes)
                .spawn_scoped(scope, move || context.check(&checks))
                .map_err(|error| {
                    stop.stop();
                    GridError::Thread(error)
                })?;
            context.runtime.block_on(context.tell_of_itself(answers, &check));
            Ok(())
        })?;
        context.runtime.block_on(async {
            let _ = timeout(ANSWER, context.announce(false)).await;
            let _ = timeout(ANSWER, context.connection.client.flush()).await;
        });
        if let Some(reason) = context.refusal.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(GridError::Refused(reason));
        }
        Ok(WorkerSummary {
            done: context.done.load(Ordering::Relaxed),
            failed: context.failed.load(Ordering::Relaxed),
        })
    }
}

impl WorkerContext<'_> {
    /// Sends the first heartbeat and waits for a refusal. Without a coordinator the worker is accepted.
    async fn introduce(&self) -> Result<Subscriber, GridError> {
        let inbox = self.inbox.clone();
        let mut answers =
            self.connection.client.subscribe(inbox).await.map_err(self.connection.refused("answers"))?;
        self.announce(true).await;
        let mut refusal = None;
        let _ = timeout(WELCOME, async {
            while let Some(message) = answers.next().await {
                let Ok(answer) = serde_json::from_slice::<WorkerReply>(&message.payload) else { continue };
                let answer = answer.checked_version();
                if answer.welcome {
                    self.welcome.store(true, Ordering::Relaxed);
                    refusal = None;
                    return;
                }
                refusal = Some(answer.reason);
            }
        })
        .await;
        if let Some(why) = self.connection.denied() {
            let why = format!("account {}: {why}", self.account);
            return Err(GridError::Credentials { address: self.connection.address.clone(), why });
        }
        refusal.map_or(Ok(answers), |reason| Err(GridError::Refused(reason)))
    }

    async fn announce(&self, asks: bool) {
        let status = WorkerStatus {
            protocol: PROTOCOL,
            id: self.id.clone(),
            account: self.account.clone(),
            host: self.worker.host.clone(),
            cores: self.worker.threads,
            version: self.worker.signature.version.clone(),
            signature: self.worker.signature.to_string(),
            busy: self.busy.load(Ordering::Relaxed),
            done: self.done.load(Ordering::Relaxed),
            failed: self.failed.load(Ordering::Relaxed),
            draining: self.stop.is_stopped(),
            trouble: lock(&self.trouble).clone(),
        };
        let subject = worker_subject(&self.account, &self.id);
        let payload: Bytes = serde_json::to_vec(&status).expect("texts and numbers can be written").into();
        // A lost heartbeat is followed by the next one.
        let _ = if asks {
            self.connection.client.publish_with_reply(subject, self.inbox.clone(), payload).await
        } else {
            self.connection.client.publish(subject, payload).await
        };
    }

    /// Sends heartbeats until the worker ends, and reports changes of the connection.
    async fn tell_of_itself(&self, mut answers: Subscriber, check: &Sender<Box<TaskMessage>>) {
        let (mut told, mut connected, mut refused) = (Instant::now(), true, String::new());
        while !self.stop.is_stopped() || self.busy.load(Ordering::Relaxed) > 0 {
            if connected != self.connection.is_connected() {
                connected = !connected;
                (self.tell)(if connected { Event::Found } else { Event::Lost });
            }
            if connected && told.elapsed() >= NEWS {
                told = Instant::now();
                self.announce(true).await;
            }
            let Ok(Some(message)) = timeout(FIRST_PAUSE, answers.next()).await else { continue };
            let Ok(answer) = serde_json::from_slice::<WorkerReply>(&message.payload) else { continue };
            let answer = answer.checked_version();
            if answer.welcome {
                self.welcome.store(true, Ordering::Relaxed);
                if let Some(order) = answer.check {
                    let known = !lock(&self.checking).insert(order.key.clone());
                    // The checking thread lives as long as the worker.
                    let _ = if known { Ok(()) } else { check.send(order) };
                }
            } else if answer.leave || !self.welcome.load(Ordering::Relaxed) {
                // Refused at the start, or distrusted since.
                *self.refusal.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer.reason);
                self.stop.stop();
            } else if answer.reason != refused {
                refused.clone_from(&answer.reason);
                (self.tell)(Event::Unwelcome(answer.reason));
            }
        }
    }

    /// Body of the thread that repeats tasks of other accounts for comparison; it is mostly idle.
    fn check(&self, checks: &Receiver<Box<TaskMessage>>) {
        let mut executors: Vec<(String, Box<dyn AnyExecutor>)> = Vec::new();
        while !self.stop.is_stopped() {
            let Ok(order) = checks.recv_timeout(FIRST_PAUSE) else { continue };
            let _busy = Busy::new(self);
            let outcome = self.perform(&order, &mut executors);
            self.runtime.block_on(self.report(&order, 1, outcome));
            lock(&self.checking).remove(&order.key);
        }
    }

    /// Body of a worker thread.
    fn work(&self) {
        let mut executors: Vec<(String, Box<dyn AnyExecutor>)> = Vec::new();
        let mut queue: Option<(PullConsumer, Duration)> = None;
        let mut pause = FIRST_PAUSE;
        while !self.stop.is_stopped() {
            let pulled = self.runtime.block_on(self.pull(&mut queue));
            match pulled {
                Ok(Some(message)) => {
                    pause = FIRST_PAUSE;
                    let lease = queue.as_ref().map_or(REQUEST, |(_, lease)| *lease);
                    let _busy = Busy::new(self);
                    self.attend(&message, lease, &mut executors);
                }
                Ok(None) => pause = FIRST_PAUSE,
                Err(()) => {
                    queue = None;
                    thread::sleep(pause);
                    pause = (2 * pause).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// A task, if one arrives soon; an error if the server is unavailable.
    async fn pull(&self, queue: &mut Option<(PullConsumer, Duration)>) -> Result<Option<Message>, ()> {
        if queue.is_none() {
            let name = workers(&self.worker.signature);
            let found = self.connection.context.get_consumer_from_stream::<pull::Config, _, _>(&name, TASKS);
            let consumer = timeout(ANSWER, found).await.map_err(|_| ())?.map_err(|_| ())?;
            let lease = consumer.cached_info().config.ack_wait;
            *queue = Some((consumer, lease));
        }
        let (consumer, _) = queue.as_ref().expect("it was just put there");
        let pulled = timeout(REQUEST + ANSWER, async {
            let mut batch =
                consumer.batch().max_messages(1).expires(REQUEST).messages().await.map_err(|_| ())?;
            batch.next().await.transpose().map_err(|_| ())
        });
        pulled.await.map_err(|_| ())?
    }

    /// Executes a task and reports the result, extending its lease meanwhile.
    fn attend(
        &self,
        message: &Message,
        lease: Duration,
        executors: &mut Vec<(String, Box<dyn AnyExecutor>)>,
    ) {
        let deliveries = message.info().map_or(1, |info| info.delivered.max(1) as u64);
        let Ok(order) = serde_json::from_slice::<TaskMessage>(&message.payload) else {
            // No worker can execute it, and the coordinator no longer waits for it.
            let _ = self.runtime.block_on(message.ack_with(AckKind::Term));
            return;
        };
        let holding = self.runtime.spawn(hold(message.clone(), lease));
        let outcome = if deliveries > u64::from(order.tries) {
            Outcome::Dead(deliveries - 1)
        } else {
            self.perform(&order, executors)
        };
        if matches!(outcome, Outcome::Done(_)) {
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        let told = self.runtime.block_on(self.report(&order, deliveries, outcome));
        holding.abort();
        if told {
            // If this acknowledgement is lost, the task is executed once more and counted once.
            let _ = self.runtime.block_on(async { timeout(ANSWER, message.double_ack()).await });
        }
    }

    fn perform(&self, order: &TaskMessage, executors: &mut Vec<(String, Box<dyn AnyExecutor>)>) -> Outcome {
        let performed = self.prepare(order, executors).and_then(|task| {
            let (_, executors) = executors.last_mut().expect("it was just put there");
            // A started task is finished: stopping a worker waits for it, or kills the process.
            let done = catch_unwind(AssertUnwindSafe(|| executors.perform(&task, &Stop::new())));
            done.map_err(|panic| format!("it panicked: {}", said(&*panic)))?
        });
        match performed {
            Ok(Some(done)) => Outcome::Done(done),
            Ok(None) => self.failure(order, "it was stopped".to_owned(), executors),
            Err(why) => self.failure(order, why, executors),
        }
    }

    /// A failed executor is dropped, because its state is unknown.
    fn failure(
        &self,
        order: &TaskMessage,
        why: String,
        executors: &mut Vec<(String, Box<dyn AnyExecutor>)>,
    ) -> Outcome {
        executors.pop();
        self.failed.fetch_add(1, Ordering::Relaxed);
        (self.tell)(Event::Failed { id: order.id.clone(), why: why.clone() });
        Outcome::Failed(why)
    }

    /// Decodes a task, and moves its executors to the end of the cache.
    fn prepare(
        &self,
        order: &TaskMessage,
        executors: &mut Vec<(String, Box<dyn AnyExecutor>)>,
    ) -> Result<String, String> {
        let run = format!("{} {} {:?}", order.kind, order.run, order.files);
        let known = executors.iter().position(|(name, _)| *name == run);
        let entry = if let Some(place) = known {
            executors.remove(place)
        } else {
            let handler = self.worker.task_handlers.iter().find(|handler| handler.kind() == order.kind);
            let handler =
                handler.ok_or_else(|| format!("this worker knows no tasks of kind {}", order.kind))?;
            let mut shared = SharedFiles::default();
            for (name, hash) in &order.files {
                shared.files.insert(name.clone(), self.file(hash)?.to_vec());
            }
            if executors.len() >= RUNS_KEPT {
                executors.remove(0);
            }
            (run, handler.executor(&shared)?)
        };
        executors.push(entry);
        match (&order.task, &order.blob) {
            (Some(task), _) => Ok(task.get().to_owned()),
            (None, Some(hash)) => {
                let bytes = self.runtime.block_on(blobs::get(&self.connection, hash))?;
                String::from_utf8(bytes).map_err(|error| error.to_string())
            }
            (None, None) => Err("there is no task in it".to_owned()),
        }
    }

    /// A file by its hash, cached.
    fn file(&self, hash: &str) -> Result<Arc<Vec<u8>>, String> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = files.get(hash) {
            return Ok(bytes.clone());
        }
        let bytes = Arc::new(self.runtime.block_on(blobs::get(&self.connection, hash))?);
        if files.len() >= FILES_KEPT {
            files.clear();
        }
        files.insert(hash.to_owned(), bytes.clone());
        Ok(bytes)
    }

    /// Publishes a result, retrying until the server has it. Returns false if the worker was stopped while the server
    /// was unavailable.
    async fn report(&self, order: &TaskMessage, deliveries: u64, outcome: Outcome) -> bool {
        let (key, attempt, worker) = (order.key.clone(), order.attempt, self.id.clone());
        let mut report = Report { key, attempt, worker, deliveries, outcome };
        let written =
            |report: &Report| -> Bytes { serde_json::to_vec(report).expect("texts can be written").into() };
        let mut payload = written(&report);
        let max_payload = self.connection.client.server_info().max_payload;
        if payload.len() + HEADERS > max_payload {
            let why = format!(
                "its result has {} bytes, and the server takes {max_payload} at most (max_payload)",
                payload.len()
            );
            (self.tell)(Event::Failed { id: order.id.clone(), why: why.clone() });
            report.outcome = Outcome::Failed(why);
            payload = written(&report);
        }
        let id = format!("{}.{}.{}", order.key, self.id, self.connection.unique_token());
        let (mut pause, mut told) = (FIRST_PAUSE, false);
        loop {
            let mut headers = HeaderMap::new();
            headers.insert(NATS_MESSAGE_ID, id.as_str());
            let subject = result_subject(&self.account, &order.run);
            let publish = async {
                self.connection.context.publish_with_headers(subject, headers, payload.clone()).await?.await
            };
            match timeout(2 * ANSWER, publish).await {
                Ok(Ok(_)) => {
                    *lock(&self.trouble) = None;
                    return true;
                }
                Ok(Err(error)) if self.connection.is_connected() => {
                    let why = self.connection.denied().unwrap_or_else(|| error_chain(&error));
                    *lock(&self.trouble) = Some(why.clone());
                    if !told {
                        told = true;
                        let why = format!("its result cannot be handed in yet: {why}");
                        (self.tell)(Event::Failed { id: order.id.clone(), why });
                    }
                }
                _ => {}
            }
            if self.stop.is_stopped() && !self.connection.is_connected() {
                return false;
            }
            sleep(pause).await;
            pause = (2 * pause).min(LONGEST_PAUSE);
        }
    }
}

/// Spawns a worker thread. A panic outside of a task ends the worker.
struct Busy<'a>(&'a WorkerContext<'a>);

impl<'a> Busy<'a> {
    fn new(context: &'a WorkerContext<'a>) -> Busy<'a> {
        context.busy.fetch_add(1, Ordering::Relaxed);
        Busy(context)
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
        if thread::panicking() {
            self.0.stop.stop();
        }
    }
}

/// Extends the lease of a task periodically.
async fn hold(message: Message, lease: Duration) {
    loop {
        sleep(lease / 3).await;
        // Three times per lease, so that two may be lost.
        let _ = message.ack_with(AckKind::Progress).await;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn said(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("without a word")
}
