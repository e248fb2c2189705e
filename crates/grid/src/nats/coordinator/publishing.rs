//! Tasks on their way to the server.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::header::NATS_MESSAGE_ID;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use bytes::Bytes;
use tokio::time::{sleep, timeout};

use super::run::{Phase, Run};
use super::{Nats, PAUSE};
use crate::error::GridError;
use crate::nats::blobs;
use crate::nats::link::{ANSWER, in_words, is_full};
use crate::nats::supply::task_subject;
use crate::nats::wire::Order;
use crate::task::Task;

/// Tasks that are handed out at a time: enough for the largest crowd of workers, and not all of a long match.
pub(super) const HANDED_OUT: usize = 4096;
/// Tasks whose arrival the server has not confirmed.
pub(super) const UNCONFIRMED: usize = 64;
/// Larger tasks travel as blobs.
const LARGE: usize = 128 * 1024;
/// A server that is there and takes nothing for so long is broken.
const PATIENCE: Duration = Duration::from_mins(1);

pub(super) type Confirmation = Pin<Box<dyn Future<Output = (usize, Result<(), PublishError>)>>>;

impl<T: Task> Run<'_, T> {
    /// A task as it travels.
    pub(super) async fn order(&self, place: usize) -> Result<Order, GridError> {
        let Nats { link, coordination, run, .. } = self.grid;
        let (task, entry) = (&self.tasks[place], &self.entries[place]);
        let body = serde_json::value::to_raw_value(task).expect("it was written before");
        let mut order = Order {
            key: entry.key.clone(),
            run: run.clone(),
            kind: T::KIND.to_owned(),
            id: task.id(),
            attempt: entry.attempt,
            tries: coordination.tries,
            files: self.files.clone(),
            task: None,
            blob: None,
        };
        if body.get().len() > LARGE {
            order.blob = Some(blobs::put(link, &self.grid.blobs, body.get().as_bytes()).await?);
        } else {
            order.task = Some(body);
        }
        Ok(order)
    }

    /// Publishes a task; the server's confirmation comes later.
    pub(super) async fn hand_out(&mut self, place: usize) -> Result<Confirmation, GridError> {
        let order = self.order(place).await?;
        let Nats { link, coordination, run, session, .. } = self.grid;
        let entry = &mut self.entries[place];
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
    pub(super) async fn confirm(
        &mut self,
        place: usize,
        confirmed: Result<(), PublishError>,
    ) -> Result<(), GridError> {
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
}
