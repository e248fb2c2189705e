//! The health of the server and of the workers: what to do when tasks are not accepted, and when no messages arrive.

use std::time::{Duration, Instant};

use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use tokio::time::{sleep, timeout};

use super::Run;
use crate::error::GridError;
use crate::nats::connection::{ANSWER, error_chain, is_full};
use crate::nats::coordinator::session::{Nats, PAUSE};
use crate::task::Task;

/// A connected server that accepts no task for this long is broken.
const PATIENCE: Duration = Duration::from_mins(1);
/// After this long without a result, check that the server still has the tasks.
const SILENCE: Duration = Duration::from_secs(5);
/// A connected server that fails this many times to answer, which takes a minute, is broken.
const MAX_UNANSWERED: u32 = 6;

/// Health of the server and the workers.
pub(super) struct Health {
    /// When something last happened: a worker's result, a task that the coordinator computed itself, or a check of the
    /// server, so that the next one waits for another [`SILENCE`].
    pub(super) heard: Instant,
    /// Consecutive failures of a connected server to report its state.
    unanswered: u32,
    /// Since when the server accepts no task.
    stuck: Option<Instant>,
    /// Since when there is no worker.
    alone: Instant,
    /// Whether the lack of workers was reported.
    told_alone: bool,
}

impl Default for Health {
    fn default() -> Health {
        let now = Instant::now();
        Health { heard: now, unanswered: 0, stuck: None, alone: now, told_alone: false }
    }
}

impl Health {
    /// Whether nothing has happened for a while.
    pub(super) fn is_silent(&self) -> bool {
        self.heard.elapsed() > SILENCE
    }
}

impl<T: Task> Run<'_, T> {
    /// Handles the server's answer to a published task. A refused one is published again, unless the server is full or
    /// has refused tasks for too long.
    pub(super) async fn confirm(
        &mut self,
        index: usize,
        confirmed: Result<(), PublishError>,
    ) -> Result<(), GridError> {
        let Err(error) = confirmed else {
            self.health.stuck = None;
            return Ok(());
        };
        let why = error_chain(&error);
        if is_full(&why) {
            return Err(GridError::Full { what: "tasks".to_owned(), why });
        }
        let connection = &self.grid.connection;
        let since = *self.health.stuck.get_or_insert_with(Instant::now);
        if !connection.is_connected() {
            self.health.stuck = None;
        } else if since.elapsed() > PATIENCE {
            let (address, what) = (connection.address.clone(), "tasks to hand out".to_owned());
            return Err(GridError::Server { address, what, why });
        }
        // Publishing again with the same message id creates no duplicate.
        self.list.take_back(index);
        if error.kind() == PublishErrorKind::StreamNotFound && connection.is_connected() {
            self.grid.restore().await;
        }
        sleep(PAUSE).await;
        Ok(())
    }

    /// Reports once that there has been no worker for a while.
    pub(super) fn say_if_alone(&mut self) {
        let health = &mut self.health;
        if !self.watch.is_empty() {
            health.told_alone = false;
            health.alone = Instant::now();
        } else if !health.told_alone && health.alone.elapsed() > SILENCE {
            health.told_alone = true;
            let address = &self.grid.connection.address;
            self.grid.log(&format!("no worker is there; start some: tabia worker --grid {address}"));
        }
    }

    /// Called after a while without messages. If workers report that the server is full, the run fails. If the server
    /// has neither tasks nor results of this run, the published tasks are lost and published again. If it has tasks
    /// but delivers none, its consumers are recreated.
    pub(super) async fn look_after(&mut self) -> Result<(), GridError> {
        if self.list.handed_out == 0 || !self.grid.connection.is_connected() {
            return Ok(());
        }
        if let Some(why) = self.watch.trouble() {
            return Err(GridError::Full { what: "results".to_owned(), why });
        }
        let Nats { streams, coordination, run, .. } = self.grid;
        for _ in 0..2 {
            let left = timeout(ANSWER, streams.left(&coordination.signature, run)).await;
            self.health.unanswered = if left.is_ok() { 0 } else { self.health.unanswered + 1 };
            match left {
                Ok(Some((0, 0))) => {}
                Ok(Some((tasks, results))) => {
                    if streams.mend(&coordination.signature, run, tasks, results).await {
                        self.grid.log("the server had lost count of its messages; its queues were made anew");
                        self.grid.open_supply().await;
                    }
                    return Ok(());
                }
                Ok(None) if self.grid.connection.is_connected() => {
                    self.grid.restore().await;
                    return Ok(());
                }
                Err(_) if self.health.unanswered >= MAX_UNANSWERED => {
                    let (address, what) =
                        (self.grid.connection.address.clone(), "what it has of the run".to_owned());
                    let why =
                        "it does not answer; its log says why, and a full disk is a likely reason".to_owned();
                    return Err(GridError::Server { address, what, why });
                }
                _ => return Ok(()),
            }
            // A result may be in transit.
            sleep(PAUSE).await;
        }
        // Tasks under review have timeouts of their own.
        let mut lost = self.list.outstanding();
        lost.retain(|index| !self.reviews.contains_key(index));
        if lost.is_empty() {
            return Ok(());
        }
        self.grid.log(&format!("the server has lost {} tasks; they are handed out again", lost.len()));
        for index in lost {
            self.list.repeat(index);
        }
        Ok(())
    }
}
