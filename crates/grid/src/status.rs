//! Status of a distributed run: `grid.json` in its directory.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::error::FailedTask;

/// A worker's heartbeat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Its protocol version; absent in version 1.
    #[serde(default = "first_protocol")]
    pub protocol: u32,
    /// Its label, chosen by itself.
    pub id: String,
    /// The account it belongs to: a user or nkey of the NATS server. Set by the coordinator from the subject of the message.
    #[serde(default)]
    pub account: String,
    /// The machine it runs on.
    pub host: String,
    /// Concurrent tasks.
    pub cores: usize,
    /// Its version.
    pub version: String,
    /// Its signature.
    pub signature: String,
    /// Tasks in progress.
    pub busy: usize,
    /// Finished tasks, of all runs.
    pub done: u64,
    /// Failed tasks.
    pub failed: u64,
    /// Whether it takes no more tasks.
    pub draining: bool,
    /// Why it cannot publish results, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

fn first_protocol() -> u32 {
    1
}

#[cfg(feature = "nats")]
impl WorkerStatus {
    /// Removes control characters: the operator of the worker chooses these texts.
    pub(crate) fn clean(&mut self) {
        for text in [&mut self.id, &mut self.host, &mut self.version, &mut self.signature]
            .into_iter()
            .chain(&mut self.trouble)
        {
            *text = printable(text);
        }
    }
}

/// A text from outside made displayable: one line, no control characters, limited length.
#[cfg(feature = "nats")]
pub(crate) fn printable(text: &str) -> String {
    const MAX: usize = 1000;
    tabia_core::printable(text).chars().take(MAX).collect()
}

/// Status of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// Address of the server.
    pub server: String,
    /// Name of the run there.
    pub run: String,
    /// Whether a coordinator is running it; false once it has ended.
    pub running: bool,
    /// Whether the server is connected.
    pub connected: bool,
    /// Workers with a recent heartbeat.
    pub workers: Vec<WorkerStatus>,
    /// Tasks requested: of the generation, or of the match.
    pub tasks: usize,
    /// Results counted.
    pub done: usize,
    /// Tasks published and not finished.
    pub waiting: usize,
    /// Results per second, recently.
    pub per_second: f64,
    /// Tasks redelivered because their worker was gone.
    pub redeliveries: u64,
    /// Duplicate results; counted once.
    pub duplicates: u64,
    /// Tasks that failed at workers.
    pub failures: u64,
    /// Invalid results; not counted.
    pub rejected: u64,
    /// Results compared with a second one before they counted.
    #[serde(default)]
    pub checked: u64,
    /// Results retracted and computed again, because their account is distrusted.
    #[serde(default)]
    pub retracted: u64,
    /// Distrusted accounts.
    #[serde(default)]
    pub distrusted: Vec<String>,
    /// Tasks that were set aside.
    pub set_aside: Vec<FailedTask>,
    /// Estimated seconds to the end.
    pub left_s: Option<f64>,
}

impl Status {
    /// Cores of all workers.
    pub fn cores(&self) -> usize {
        self.workers.iter().map(|worker| worker.cores).sum()
    }

    /// Estimated time to the end.
    pub fn left(&self) -> Option<Duration> {
        self.left_s.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }

    /// One line for a terminal, without the estimated time.
    pub fn line(&self) -> String {
        let mut parts = Vec::new();
        if !self.connected {
            parts.push("the server is away".to_owned());
        }
        parts.push(match self.workers.len() {
            0 => "no workers".to_owned(),
            1 => format!("1 worker ({} cores)", self.cores()),
            count => format!("{count} workers ({} cores)", self.cores()),
        });
        parts.push(format!("{:.1} tasks a second", self.per_second));
        for (count, what) in [
            (self.redeliveries, "redelivered"),
            (self.failures, "failed"),
            (self.rejected, "rejected"),
            (self.distrusted.len() as u64, "not trusted"),
            (self.retracted, "taken back"),
            (self.set_aside.len() as u64, "set aside"),
        ] {
            if count > 0 {
                parts.push(format!("{count} {what}"));
            }
        }
        parts.join(", ")
    }
}

#[cfg(all(test, feature = "nats"))]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_shown() {
        assert_eq!(printable("a\u{1b}[31m\nb"), "a\u{fffd}[31m b");
        let mut worker = WorkerStatus { host: "\u{7}bell".to_owned(), ..WorkerStatus::default() };
        worker.clean();
        assert_eq!(worker.host, "\u{fffd}bell");
    }

    #[test]
    fn a_line_says_what_matters_and_leaves_out_what_did_not_happen() {
        let worker = WorkerStatus { cores: 4, ..WorkerStatus::default() };
        let status = Status {
            connected: true,
            workers: vec![worker.clone(), worker],
            per_second: 2.5,
            rejected: 3,
            ..Status::default()
        };
        assert_eq!(status.line(), "2 workers (8 cores), 2.5 tasks a second, 3 rejected");
        assert_eq!(Status::default().line(), "the server is away, no workers, 0.0 tasks a second");
    }
}
