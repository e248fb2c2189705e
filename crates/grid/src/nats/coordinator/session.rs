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

/// Delay after an error.
pub(super) const PAUSE: Duration = Duration::from_millis(200);

/// Settings of a coordinator.
#[derive(Clone, Debug)]
pub struct CoordinatorSettings {
    /// Required signature of workers.
    pub signature: Signature,
    /// Lease: a task is redelivered if its worker is silent for this long.
    pub lease: Duration,
    /// Attempts at a task.
    pub tries: u32,
    /// Share of results that are compared with a second one; zero if results are not reproducible.
    pub double_check: f64,
    /// Selects which results, and with whose.
    pub secret: Secret,
    /// Number of replicas in a cluster.
    pub replicas: usize,
    /// Files that tasks share.
    pub shared: SharedFiles,
    /// Unique and permanent name of the run; `None` for a run that cannot be resumed.
    pub run: Option<String>,
    /// Status file: `grid.json`.
    pub status_file: Option<PathBuf>,
    /// Record of which account gave which result: `grid.accounts.jsonl`.
    pub accounts_file: Option<PathBuf>,
}

/// Executes tasks for the coordinator itself, in a child process, because a task may crash it.
pub trait Referee: Send + Sync {
    /// Executes a task, JSON in and out, with its shared files. `programs`: whether it may start the external engines
    /// that the run names.
    fn perform(
        &self,
        kind: &str,
        shared: &SharedFiles,
        task: &str,
        programs: bool,
    ) -> Result<Box<RawValue>, String>;

    /// Aborts the current execution, which returns an error.
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
    /// Whether the server distinguishes accounts; otherwise all workers are one.
    pub(super) has_accounts: bool,
    pub(super) run: String,
    /// Distinguishes messages of this process from those of an earlier one.
    pub(super) session: String,
    /// Files that tasks share now, and their hashes.
    stored_files: Mutex<StoredFiles>,
    status: Arc<Mutex<Status>>,
    pub(super) watch: Mutex<WorkerMonitor>,
    pub(super) records: Mutex<Records>,
    /// Whether the lack of a second account was reported.
    one_account: AtomicBool,
    log: Box<dyn Fn(&str) + Send + Sync>,
}

impl Nats {
    /// Checks that the server answers and accepts the credentials, before anything is created for a run.
    pub fn try_connection(access: &Access) -> Result<(), GridError> {
        runtime()?.block_on(Connection::connect(access, "tabia coordinator", "_INBOX")).map(drop)
    }

    /// Connects and creates what is missing on the server. `log` receives messages for the operator.
    pub fn open(
        access: &Access,
        coordination: CoordinatorSettings,
        referee: Arc<dyn Referee>,
        log: impl Fn(&str) + Send + Sync + 'static,
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
        for (account, why) in records.distrusted() {
            watch.distrust(account, why);
        }
        let stored_files = Mutex::new(StoredFiles { shared: shared.clone(), hashes });
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
            stored_files,
            status,
            watch: Mutex::new(watch),
            records: Mutex::new(records),
            one_account: AtomicBool::new(false),
            log: Box::new(log),
        })
    }

    /// The current status.
    pub fn status(&self) -> Status {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the shared files for tasks that are run from now on.
    pub fn share(&self, shared: SharedFiles) -> Result<(), GridError> {
        let hashes = self.runtime.block_on(blobs::put_all(&self.connection, &self.blobs, &shared))?;
        *self.stored_files.lock().unwrap_or_else(PoisonError::into_inner) = StoredFiles { shared, hashes };
        Ok(())
    }

    /// Files that tasks share now, and their hashes.
    pub(super) fn stored_files(&self) -> StoredFiles {
        self.stored_files.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Logs a message for the operator. Parts of the text may come from workers, so it is made printable.
    pub(super) fn log(&self, text: &str) {
        (self.log)(&printable(text));
    }

    /// Reports once that only the coordinator can check results.
    pub(super) fn warn_single_account(&self) {
        if self.one_account.swap(true, Ordering::Relaxed) {
            return;
        }
        let why = if self.has_accounts {
            "all workers belong to one account"
        } else {
            "the login of this process names no user, so all workers are taken for one account"
        };
        self.log(&format!(
            "{why}: nobody else can check its results, and this process computes {:.3}% of the tasks itself to compare them; \
             docs/grid.md says how to give every owner of workers an account",
            100.0 * self.coordination.double_check
        ));
    }

    /// Ends the run: removes its messages from the server, and writes the last status.
    pub fn finish(&self, complete: bool) {
        let watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        watch.note(|status| status.running = false);
        watch.write();
        self.runtime.block_on(async {
            self.forget_tasks().await;
            if complete {
                // Best effort: the server expires the rest.
                self.forget_results().await;
                let name = results_queue(&self.run);
                let _ = timeout(ANSWER, self.streams.results.delete_consumer(&name)).await;
            }
        });
    }

    /// Removes published tasks.
    pub(super) async fn forget_tasks(&self) {
        let purge = self.streams.tasks.purge().filter(task_subject(&self.coordination.signature, &self.run));
        let _ = timeout(ANSWER, async { purge.await }).await;
    }

    /// Removes waiting results.
    pub(super) async fn forget_results(&self) {
        let purge = self.streams.results.purge().filter(result_subject(ALL, &self.run));
        let _ = timeout(ANSWER, async { purge.await }).await;
    }

    /// The hash of a task and of all it depends on.
    pub(super) fn key<T: Task>(&self, files: &BTreeMap<String, String>, task: &RawValue) -> String {
        let about = (T::KIND, &self.run, self.coordination.signature.to_string(), files, task);
        fingerprint(&serde_json::to_vec(&about).expect("texts can be written"))
    }

    /// Creates missing streams and consumers. Errors are retried after the next silence.
    pub(super) async fn open_supply(&self) {
        let CoordinatorSettings { signature, lease, replicas, .. } = &self.coordination;
        let _ = Streams::open(&self.connection, signature, *lease, *replicas).await;
    }

    /// Recreates what a server lost that was restarted without its files.
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
                let _ = blobs::put_all(&self.connection, &store, &self.stored_files().shared).await;
            }
            return;
        }
    }
}
