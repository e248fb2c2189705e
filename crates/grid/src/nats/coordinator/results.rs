//! Receives results from the server.

use std::future::pending;
use std::time::Duration;

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::pull::Batch;
use futures_util::StreamExt;
use tokio::time::{sleep, timeout};

use super::session::{Nats, PAUSE};
use crate::nats::connection::ANSWER;

/// Batch size of a pull request, and its expiry.
const RESULTS_AT_ONCE: usize = 256;
const REQUEST: Duration = Duration::from_secs(5);

#[derive(Default)]
pub(super) struct Results {
    batch: Option<Batch>,
    /// Number of the connection of the pull request.
    connection: u64,
    heard: usize,
    pub old_ones_are_in: bool,
}

impl Results {
    /// Requests results if none are requested.
    pub async fn ask(&mut self, grid: &Nats) {
        if self.connection != grid.connection.times() {
            self.batch = None;
        }
        if self.batch.is_some() {
            return;
        }
        let connection = grid.connection.times();
        let requested = timeout(ANSWER, async {
            let consumer = grid.streams.results_of(&grid.connection, &grid.run).await.ok()?;
            if self.old_ones_are_in {
                consumer.batch().max_messages(RESULTS_AT_ONCE).expires(REQUEST).messages().await.ok()
            } else {
                consumer.fetch().max_messages(RESULTS_AT_ONCE).messages().await.ok()
            }
        });
        self.batch = requested.await.ok().flatten();
        self.connection = connection;
        self.heard = 0;
        if self.batch.is_none() {
            sleep(PAUSE).await;
        }
    }

    /// The next result; `None` if they must be requested again.
    pub async fn next(&mut self) -> Option<Message> {
        let Some(batch) = &mut self.batch else { return pending().await };
        match batch.next().await {
            Some(Ok(message)) => {
                self.heard += 1;
                Some(message)
            }
            ended => {
                // An empty answer for the first time: all waiting results have arrived.
                self.old_ones_are_in |= ended.is_none() && self.heard == 0;
                self.batch = None;
                None
            }
        }
    }
}
