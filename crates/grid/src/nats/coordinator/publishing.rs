//! Publishes tasks to the server.

use std::future::Future;
use std::pin::Pin;

use async_nats::HeaderMap;
use async_nats::header::NATS_MESSAGE_ID;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use bytes::Bytes;
use tokio::time::timeout;

use super::session::Nats;
use super::task_list::TaskList;
use crate::error::GridError;
use crate::nats::blobs;
use crate::nats::connection::ANSWER;
use crate::nats::protocol::TaskMessage;
use crate::nats::streams::task_subject;
use crate::task::Task;

/// Larger tasks are stored as blobs.
const LARGE: usize = 128 * 1024;

/// Index of a task, and whether the server accepted it.
pub(super) type Confirmation = Pin<Box<dyn Future<Output = (usize, Result<(), PublishError>)>>>;

impl Nats {
    /// A task as a message.
    pub(super) async fn order<T: Task>(
        &self,
        list: &TaskList<'_, T>,
        index: usize,
    ) -> Result<TaskMessage, GridError> {
        let (task, entry) = (&list.tasks[index], list.entry(index));
        let body = serde_json::value::to_raw_value(task).expect("it was written before");
        let mut order = TaskMessage {
            key: entry.key.clone(),
            run: self.run.clone(),
            kind: T::KIND.to_owned(),
            id: task.id(),
            attempt: entry.attempt,
            tries: self.coordination.tries,
            files: list.files.clone(),
            task: None,
            blob: None,
        };
        if body.get().len() > LARGE {
            order.blob = Some(blobs::put(&self.connection, &self.blobs, body.get().as_bytes()).await?);
        } else {
            order.task = Some(body);
        }
        Ok(order)
    }

    /// Publishes a task; the acknowledgement arrives later.
    pub(super) async fn publish<T: Task>(
        &self,
        list: &TaskList<'_, T>,
        index: usize,
    ) -> Result<Confirmation, GridError> {
        let order = self.order(list, index).await?;
        let entry = list.entry(index);
        let payload: Bytes = serde_json::to_vec(&order).expect("texts can be written").into();
        let mut headers = HeaderMap::new();
        let id = format!("{}.{}.{}.{}", entry.key, self.session, entry.attempt, entry.again);
        headers.insert(NATS_MESSAGE_ID, id.as_str());
        let subject = task_subject(&self.coordination.signature, &self.run);
        let context = self.connection.context.clone();
        Ok(Box::pin(async move {
            let publish =
                async { context.publish_with_headers(subject, headers, payload).await?.await.map(|_| ()) };
            let late = || Err(PublishError::new(PublishErrorKind::TimedOut));
            (index, timeout(2 * ANSWER, publish).await.unwrap_or_else(|_| late()))
        }))
    }
}
