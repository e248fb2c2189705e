//! Streams and consumers, created on demand.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use futures_util::TryStreamExt;

use super::connection::{Connection, Signature};
use super::protocol::PROTOCOL;
use super::{RESULTS, TASKS};
use crate::error::GridError;

/// How long the server knows a message again that is published twice: longer than any attempt to publish lasts.
const SAME: Duration = Duration::from_mins(2);
/// A result that was handed over and not acknowledged is handed over again.
const RESULT_LEASE: Duration = Duration::from_secs(10);
/// Results that nobody wants are forgotten, and so is who wanted them.
const KEPT: Duration = Duration::from_hours(14 * 24);
/// Workers that may wait for tasks, and tasks that may be out, at the same time.
const MOST_WAITING: i64 = 65_536;

pub(super) struct Streams {
    pub tasks: Stream,
    pub results: Stream,
}

/// Tasks of a run. The version keeps them from workers that speak another one.
pub(super) fn task_subject(signature: &Signature, run: &str) -> String {
    format!("tabia.task.v{PROTOCOL}.{}.{run}", signature.subject_token())
}

/// Results of a run by one account, or by all (`*`).
pub(super) fn result_subject(account: &str, run: &str) -> String {
    format!("tabia.result.{account}.{run}")
}

/// Where a worker tells of itself.
pub(super) fn worker_subject(account: &str, id: &str) -> String {
    format!("tabia.worker.{account}.{}", id.replace(['.', ' ', '*', '>'], "_"))
}

/// All accounts.
pub(super) const ALL: &str = "*";

/// The consumer that workers of a signature take tasks from.
pub(super) fn workers(signature: &Signature) -> String {
    format!("workers-v{PROTOCOL}-{}", signature.subject_token())
}

/// The consumer of a run's results.
pub(super) fn results_queue(run: &str) -> String {
    format!("run-v{PROTOCOL}-{run}")
}

fn stream(name: &str, subject: &str, replicas: usize) -> Config {
    Config {
        name: name.to_owned(),
        subjects: vec![subject.to_owned()],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        discard: DiscardPolicy::New,
        duplicate_window: SAME,
        max_age: KEPT,
        num_replicas: replicas,
        ..Config::default()
    }
}

impl Streams {
    /// Makes sure that streams are there, and the consumer of the workers with this lease.
    pub async fn open(
        connection: &Connection,
        signature: &Signature,
        lease: Duration,
        replicas: usize,
    ) -> Result<Streams, GridError> {
        let context = &connection.context;
        let make = |name, subject| context.get_or_create_stream(stream(name, subject, replicas));
        let tasks = make(TASKS, "tabia.task.>")
            .await
            .map_err(connection.refused("JetStream, with a stream of tasks"))?;
        let results = make(RESULTS, "tabia.result.>")
            .await
            .map_err(connection.refused("JetStream, with a stream of results"))?;
        let name = workers(signature);
        let config = pull::Config {
            durable_name: Some(name),
            ack_policy: AckPolicy::Explicit,
            ack_wait: lease,
            filter_subject: task_subject(signature, ">"),
            max_waiting: MOST_WAITING,
            max_ack_pending: MOST_WAITING,
            ..pull::Config::default()
        };
        // Where it is there with another lease, this is an update.
        tasks.create_consumer(config).await.map_err(connection.refused("a queue for workers"))?;
        Ok(Streams { tasks, results })
    }

    /// The consumer of a run's results.
    pub async fn results_of(&self, connection: &Connection, run: &str) -> Result<PullConsumer, GridError> {
        let name = results_queue(run);
        let config = pull::Config {
            durable_name: Some(name.clone()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: RESULT_LEASE,
            filter_subject: result_subject(ALL, run),
            inactive_threshold: KEPT,
            max_ack_pending: MOST_WAITING,
            ..pull::Config::default()
        };
        self.results
            .get_or_create_consumer(&name, config)
            .await
            .map_err(connection.refused("a queue of results"))
    }

    /// Removes the queues that hand out nothing though there is something; whether there were any. A server (2.9.10) that is killed after a stream
    /// was emptied can begin to count its messages from 1 again, while a queue goes on from where it was, and so never comes to them.
    pub async fn mend(&self, signature: &Signature, run: &str, tasks: usize, results: usize) -> bool {
        let stuck =
            [(&self.tasks, workers(signature), tasks > 0), (&self.results, results_queue(run), results > 0)];
        let mut mended = false;
        for (stream, name, has_messages) in stuck {
            let info = stream.consumer_info(&name).await;
            if has_messages && info.is_ok_and(|info| info.num_pending == 0 && info.num_ack_pending == 0) {
                mended |= stream.delete_consumer(&name).await.is_ok();
            }
        }
        mended
    }

    /// Messages of a run that are on the server: tasks that are not done, and results that are not counted.
    pub async fn left(&self, signature: &Signature, run: &str) -> Option<(usize, usize)> {
        let tasks = count(&self.tasks, task_subject(signature, run)).await?;
        Some((tasks, count(&self.results, result_subject(ALL, run)).await?))
    }
}

async fn count(stream: &Stream, subject: String) -> Option<usize> {
    let subjects = stream.info_with_subjects(subject).await.ok()?;
    subjects.try_fold(0, |sum, (_, count)| async move { Ok(sum + count) }).await.ok()
}
