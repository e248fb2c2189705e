//! Results on their way from the server.

use std::future::pending;
use std::time::Duration;

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::pull::Batch;
use futures_util::StreamExt;
use tokio::time::{sleep, timeout};

use super::session::{Nats, PAUSE};
use crate::nats::connection::ANSWER;

/// Results asked for at once, and how long the server keeps such a request.
const RESULTS_AT_ONCE: usize = 256;
const REQUEST: Duration = Duration::from_secs(5);

/// Results as the server hands them over.
#[derive(Default)]
pub(super) struct Results {
    batch: Option<Batch>,
    /// Which connection it was asked over.
    connection: u64,
    heard: usize,
    pub old_ones_are_in: bool,
}

impl Results {
    /// Makes sure that results are asked for.
    pub async fn ask(&mut self, grid: &Nats) {
        if self.connection != grid.connection.times() {
            self.batch = None;
        }
        if self.batch.is_some() {
            return;
        }
        let connection = grid.connection.times();
        let asked = timeout(ANSWER, async {
            let consumer = grid.streams.results_of(&grid.connection, &grid.run).await.ok()?;
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
    pub async fn next(&mut self) -> Option<Message> {
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
