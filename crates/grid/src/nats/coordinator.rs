//! The coordinator: hands out tasks through the server, and counts each result once.

mod checking;
mod publishing;
mod results;
mod run;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::object_store::ObjectStore;
use serde_json::value::RawValue;
use tabia_core::Stop;
use tokio::runtime::Runtime;
use tokio::time::timeout;

use super::link::{ANSWER, Access, Link, Signature, runtime};
use super::supply::{Supply, result_subject, results_queue, task_subject};
use super::watch::Watch;
use super::{RESULTS, TASKS, blobs};
use crate::error::GridError;
use crate::status::Status;
use crate::task::{Grid, Ledger, Shared, Task, fingerprint};
use run::Run;

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
    /// The share of the tasks that a second worker does too, to compare; nought where results are not always the same.
    pub double_check: f64,
    /// On how many servers of a cluster everything is kept.
    pub replicas: usize,
    /// Files that tasks share.
    pub shared: Shared,
    /// What the run is called: the same for as long as it lasts, and no other run's. None for one that cannot be resumed.
    pub run: Option<String>,
    /// Where it is told how it goes: `grid.json`.
    pub status_file: Option<PathBuf>,
}

/// Shared files, as they are stored.
#[derive(Clone, Debug, Default)]
struct Parcel {
    shared: Shared,
    hashes: BTreeMap<String, String>,
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
    /// Files that tasks share now, and their hashes.
    parcel: Mutex<Parcel>,
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
        let (link, supply, blobs, hashes) = runtime.block_on(async {
            let link = Link::connect(access, "tabia coordinator").await?;
            let supply = Supply::open(&link, signature, *lease, *replicas).await?;
            let blobs = blobs::open(&link, *replicas).await?;
            let hashes = blobs::put_all(&link, &blobs, shared).await?;
            Ok::<_, GridError>((link, supply, blobs, hashes))
        })?;
        let (session, run) =
            (link.fresh_word(), coordination.run.clone().unwrap_or_else(|| link.fresh_word()));
        let server = link.address.clone();
        let status = Status { server, run: run.clone(), connected: true, ..Status::default() };
        let status = Arc::new(Mutex::new(status));
        let watch = Mutex::new(Watch::new(status.clone(), coordination.status_file.clone()));
        let tell = Box::new(tell);
        let parcel = Mutex::new(Parcel { shared: shared.clone(), hashes });
        Ok(Nats { runtime, link, supply, blobs, coordination, run, session, parcel, status, watch, tell })
    }

    /// Where it stands.
    pub fn status(&self) -> Status {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tasks that are run from now on share other files than before.
    pub fn share(&self, shared: Shared) -> Result<(), GridError> {
        let hashes = self.runtime.block_on(blobs::put_all(&self.link, &self.blobs, &shared))?;
        *self.parcel.lock().unwrap_or_else(PoisonError::into_inner) = Parcel { shared, hashes };
        Ok(())
    }

    /// Files that tasks share now, and their hashes.
    fn parcel(&self) -> Parcel {
        self.parcel.lock().unwrap_or_else(PoisonError::into_inner).clone()
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
    fn key<T: Task>(&self, files: &BTreeMap<String, String>, task: &RawValue) -> String {
        let about = (T::KIND, &self.run, self.coordination.signature.to_string(), files, task);
        fingerprint(&serde_json::to_vec(&about).expect("texts can be written"))
    }
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

impl Nats {
    /// Makes sure that streams and queues are there. What fails is tried again when nothing is heard the next time.
    async fn open_supply(&self) {
        let Coordination { signature, lease, replicas, .. } = &self.coordination;
        let _ = Supply::open(&self.link, signature, *lease, *replicas).await;
    }

    /// Makes again what a server without its files has lost.
    async fn restore(&self) {
        let replicas = self.coordination.replicas;
        for name in [TASKS, RESULTS] {
            if timeout(ANSWER, self.link.context.get_stream(name)).await.is_ok_and(|found| found.is_ok()) {
                continue;
            }
            self.open_supply().await;
            if let Ok(store) = blobs::open(&self.link, replicas).await {
                let _ = blobs::put_all(&self.link, &store, &self.parcel().shared).await;
            }
            return;
        }
    }
}
