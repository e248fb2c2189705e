//! The coordinator's connection: streams, shared files, and everything that outlives one list of tasks.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::object_store::ObjectStore;
use serde_json::value::RawValue;
use tokio::runtime::Runtime;
use tokio::time::timeout;

use super::records::Records;
use super::secret::Secret;
use crate::error::GridError;
use crate::nats::connection::{ANSWER, Access, Connection, Signature, runtime};
use crate::nats::streams::{ALL, Streams, result_subject, results_queue, task_subject};
use crate::nats::worker_monitor::WorkerMonitor;
use crate::nats::{RESULTS, TASKS, blobs};
use crate::status::{Status, printable};
use crate::task::{SharedFiles, Task, fingerprint};

/// A pause after something failed.
pub(super) const PAUSE: Duration = Duration::from_millis(200);

/// How a run is coordinated.
#[derive(Clone, Debug)]
pub struct CoordinatorSettings {
    /// What its workers must be known by.
    pub signature: Signature,
    /// How long a worker may be silent before its task is handed to another.
    pub lease: Duration,
    /// How often a task is tried.
    pub tries: u32,
    /// The share of the results that are compared with a second one; zero where results are not always the same.
    pub double_check: f64,
    /// Decides which, and with whose.
    pub secret: Secret,
    /// On how many servers of a cluster everything is kept.
    pub replicas: usize,
    /// Files that tasks share.
    pub shared: SharedFiles,
    /// What the run is called: the same for as long as it lasts, and no other run's. None for one that cannot be resumed.
    pub run: Option<String>,
    /// Where it is told how it goes: `grid.json`.
    pub status_file: Option<PathBuf>,
    /// Where it is written down which account gave which result: `grid.accounts.jsonl`.
    pub accounts_file: Option<PathBuf>,
}

/// Executes tasks for the coordinator itself, in a process of its own: a task may kill whoever tries it.
pub trait Referee: Send + Sync {
    /// Executes a task of a kind, JSON in and out, with the files that it shares with others. `programs`: whether it may start the
    /// engines that the run names.
    fn perform(
        &self,
        kind: &str,
        shared: &SharedFiles,
        task: &str,
        programs: bool,
    ) -> Result<Box<RawValue>, String>;

    /// Ends what is being executed, with an error.
    fn cancel(&self);
}

/// Shared files as stored on the server.
#[derive(Clone, Debug, Default)]
pub(super) struct StoredFiles {
    pub shared: SharedFiles,
    pub hashes: BTreeMap<String, String>,
}

/// Workers, through a NATS server.
pub struct Nats {
    pub(super) runtime: Runtime,
    pub(super) connection: Connection,
    pub(super) streams: Streams,
    pub(super) blobs: ObjectStore,
    pub(super) coordination: CoordinatorSettings,
    pub(super) referee: Arc<dyn Referee>,
    /// Whether the server tells accounts apart; else all workers are one.
    pub(super) has_accounts: bool,
    pub(super) run: String,
    /// Published messages of this process are told from those of one before it.
    pub(super) session: String,
    /// Files that tasks share now, and their hashes.
    parcel: Mutex<StoredFiles>,
    status: Arc<Mutex<Status>>,
    pub(super) watch: Mutex<WorkerMonitor>,
    pub(super) records: Mutex<Records>,
    /// Whether it was said that there is one account only.
    one_account: AtomicBool,
    tell: Box<dyn Fn(&str) + Send + Sync>,
}

impl Nats {
    /// Connects, and makes sure that the server has all that is needed. `tell` hears what a person should know of.
    pub fn open(
        access: &Access,
        coordination: CoordinatorSettings,
        referee: Arc<dyn Referee>,
        tell: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<Nats, GridError> {
        let records = Records::open(coordination.accounts_file.clone())?;
        let runtime = runtime()?;
        let CoordinatorSettings { signature, lease, replicas, shared, .. } = &coordination;
        let (connection, streams, blobs, hashes) = runtime.block_on(async {
            let connection = Connection::connect(access, "tabia coordinator", "_INBOX").await?;
            let streams = Streams::open(&connection, signature, *lease, *replicas).await?;
            let blobs = blobs::open(&connection, *replicas).await?;
            let hashes = blobs::put_all(&connection, &blobs, shared).await?;
            Ok::<_, GridError>((connection, streams, blobs, hashes))
        })?;
        let (session, run) = (
            connection.unique_token(),
            coordination.run.clone().unwrap_or_else(|| connection.unique_token()),
        );
        let server = connection.address.clone();
        let status = Status { server, run: run.clone(), connected: true, ..Status::default() };
        let status = Arc::new(Mutex::new(status));
        let has_accounts = access.has_accounts();
        let mut watch = WorkerMonitor::new(status.clone(), coordination.status_file.clone(), has_accounts);
        for (account, why) in records.caught() {
            watch.distrust(account, why);
        }
        let parcel = Mutex::new(StoredFiles { shared: shared.clone(), hashes });
        Ok(Nats {
            runtime,
            connection,
            streams,
            blobs,
            coordination,
            referee,
            has_accounts,
            run,
            session,
            parcel,
            status,
            watch: Mutex::new(watch),
            records: Mutex::new(records),
            one_account: AtomicBool::new(false),
            tell: Box::new(tell),
        })
    }

    /// Where it stands.
    pub fn status(&self) -> Status {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tasks that are run from now on share other files than before.
    pub fn share(&self, shared: SharedFiles) -> Result<(), GridError> {
        let hashes = self.runtime.block_on(blobs::put_all(&self.connection, &self.blobs, &shared))?;
        *self.parcel.lock().unwrap_or_else(PoisonError::into_inner) = StoredFiles { shared, hashes };
        Ok(())
    }

    /// Files that tasks share now, and their hashes.
    pub(super) fn parcel(&self) -> StoredFiles {
        self.parcel.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells a person. Parts of the text may come from workers.
    pub(super) fn tell(&self, text: &str) {
        (self.tell)(&printable(text));
    }

    /// Says once that nobody else than the coordinator can check results.
    pub(super) fn tell_of_one_account(&self) {
        if self.one_account.swap(true, Ordering::Relaxed) {
            return;
        }
        let why = if self.has_accounts {
            "all workers belong to one account"
        } else {
            "the login of this process names no user, so all workers are taken for one account"
        };
        self.tell(&format!(
            "{why}: nobody else can check its results, and this process computes {:.3}% of the tasks itself to compare them; \
             docs/grid.md says how to give every owner of workers an account",
            100.0 * self.coordination.double_check
        ));
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
                self.forget_results().await;
                let name = results_queue(&self.run);
                let _ = timeout(ANSWER, self.streams.results.delete_consumer(&name)).await;
            }
        });
    }

    /// Takes back what is handed out.
    pub(super) async fn forget_tasks(&self) {
        let purge = self.streams.tasks.purge().filter(task_subject(&self.coordination.signature, &self.run));
        let _ = timeout(ANSWER, async { purge.await }).await;
    }

    /// Drops results that wait to be heard.
    pub(super) async fn forget_results(&self) {
        let purge = self.streams.results.purge().filter(result_subject(ALL, &self.run));
        let _ = timeout(ANSWER, async { purge.await }).await;
    }

    /// The hash of a task and of all it depends on.
    pub(super) fn key<T: Task>(&self, files: &BTreeMap<String, String>, task: &RawValue) -> String {
        let about = (T::KIND, &self.run, self.coordination.signature.to_string(), files, task);
        fingerprint(&serde_json::to_vec(&about).expect("texts can be written"))
    }

    /// Makes sure that streams and queues are there. What fails is tried again when nothing is heard the next time.
    pub(super) async fn open_supply(&self) {
        let CoordinatorSettings { signature, lease, replicas, .. } = &self.coordination;
        let _ = Streams::open(&self.connection, signature, *lease, *replicas).await;
    }

    /// Makes again what a server without its files has lost.
    pub(super) async fn restore(&self) {
        let replicas = self.coordination.replicas;
        for name in [TASKS, RESULTS] {
            if timeout(ANSWER, self.connection.context.get_stream(name))
                .await
                .is_ok_and(|found| found.is_ok())
            {
                continue;
            }
            self.open_supply().await;
            if let Ok(store) = blobs::open(&self.connection, replicas).await {
                let _ = blobs::put_all(&self.connection, &store, &self.parcel().shared).await;
            }
            return;
        }
    }
}
