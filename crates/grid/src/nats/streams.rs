//! Streams and consumers, created on demand.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use futures_util::TryStreamExt;

use super::connection::{Connection, Signature};
use super::protocol::PROTOCOL;
use super::{RESULTS, TASKS};
use crate::error::GridError;

/// Window in which the server recognises duplicate messages: longer than any attempt to publish.
const SAME: Duration = Duration::from_mins(2);
/// Acknowledgement timeout of results.
const RESULT_LEASE: Duration = Duration::from_secs(10);
/// Expiry of unread results and of inactive consumers.
const KEPT: Duration = Duration::from_hours(14 * 24);
/// Limits of waiting workers and of unacknowledged tasks.
const MAX_WAITING: i64 = 65_536;

pub(super) struct Streams {
    pub tasks: Stream,
    pub results: Stream,
}

/// Subject of the tasks of a run. The version keeps them from workers with another protocol.
pub(super) fn task_subject(signature: &Signature, run: &str) -> String {
    format!("tabia.task.v{PROTOCOL}.{}.{run}", signature.subject_token())
}

/// Subject of the results of a run, by one account or by all (`*`).
pub(super) fn result_subject(account: &str, run: &str) -> String {
    format!("tabia.result.{account}.{run}")
}

/// Subject of a worker's heartbeats.
pub(super) fn worker_subject(account: &str, id: &str) -> String {
    format!("tabia.worker.{account}.{}", id.replace(['.', ' ', '*', '>'], "_"))
}

/// Wildcard for all accounts.
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
    /// Creates missing streams, and the consumer of the workers with this lease.
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
            max_waiting: MAX_WAITING,
            max_ack_pending: MAX_WAITING,
            ..pull::Config::default()
        };
        // Updates the lease of an existing consumer.
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
            max_ack_pending: MAX_WAITING,
            ..pull::Config::default()
        };
        self.results
            .get_or_create_consumer(&name, config)
            .await
            .map_err(connection.refused("a queue of results"))
    }

    /// Removes consumers that deliver nothing although there are messages; returns whether there were any. A server
    /// (2.9.10) that is killed after a stream was emptied may restart its sequence at 1, while a consumer continues
    /// at its old position and never reaches the messages.
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

    /// Messages of a run on the server: unfinished tasks, and uncounted results.
    pub async fn left(&self, signature: &Signature, run: &str) -> Option<(usize, usize)> {
        let tasks = count(&self.tasks, task_subject(signature, run)).await?;
        Some((tasks, count(&self.results, result_subject(ALL, run)).await?))
    }
}

async fn count(stream: &Stream, subject: String) -> Option<usize> {
    let subjects = stream.info_with_subjects(subject).await.ok()?;
    subjects.try_fold(0, |sum, (_, count)| async move { Ok(sum + count) }).await.ok()
}
