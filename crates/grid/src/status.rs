//! Where a run on many machines stands, for whoever watches: `grid.json` in its directory.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::error::SetAside;

/// A worker, as it told of itself a moment ago.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// The version of the protocol that it speaks; workers before the second did not say.
    #[serde(default = "first_protocol")]
    pub protocol: u32,
    /// Its label, which it chose itself.
    pub id: String,
    /// The account it belongs to: a user or nkey of the NATS server. Set by the coordinator from the subject of the message.
    #[serde(default)]
    pub account: String,
    /// The machine it runs on.
    pub host: String,
    /// Tasks it does at once.
    pub cores: usize,
    /// Its version.
    pub version: String,
    /// What its engine is known by.
    pub signature: String,
    /// Tasks it is doing.
    pub busy: usize,
    /// Tasks it has done, of all runs.
    pub done: u64,
    /// Tasks that it could not do.
    pub failed: u64,
    /// Whether it takes no more tasks.
    pub draining: bool,
    /// Why it cannot hand in what it has done, where it cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

fn first_protocol() -> u32 {
    1
}

impl WorkerStatus {
    /// Replaces what a terminal would obey: these texts are chosen by whoever runs the worker.
    pub(crate) fn clean(&mut self) {
        for text in [&mut self.id, &mut self.host, &mut self.version, &mut self.signature]
            .into_iter()
            .chain(&mut self.trouble)
        {
            *text = printable(text);
        }
    }
}

/// A text from somewhere else as it may be shown: one line, without control characters, not too long.
pub(crate) fn printable(text: &str) -> String {
    const MOST: usize = 1000;
    tabia_core::printable(text).chars().take(MOST).collect()
}

/// Where a run stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// The server.
    pub server: String,
    /// What the run is called there.
    pub run: String,
    /// Whether somebody coordinates it: false once it has ended.
    pub running: bool,
    /// Whether the server is there.
    pub connected: bool,
    /// Those who were heard of in the last seconds.
    pub workers: Vec<WorkerStatus>,
    /// Tasks asked for: of the generation, or of the match.
    pub tasks: usize,
    /// Results counted.
    pub done: usize,
    /// Tasks handed out and not back.
    pub waiting: usize,
    /// Results counted a second, lately.
    pub per_second: f64,
    /// Tasks that were handed out again, because whoever had them was gone.
    pub redeliveries: u64,
    /// Results that came more than once, and were counted once.
    pub duplicates: u64,
    /// Tasks that workers could not do.
    pub failures: u64,
    /// Results that were not right, and were not counted.
    pub rejected: u64,
    /// Results that were compared with a second one before they were counted.
    #[serde(default)]
    pub checked: u64,
    /// Results that were taken back and computed again, because their account was caught.
    #[serde(default)]
    pub retracted: u64,
    /// Accounts that gave a wrong result; nothing of them is counted.
    #[serde(default)]
    pub distrusted: Vec<String>,
    /// Tasks that were given up.
    pub set_aside: Vec<SetAside>,
    /// Seconds that the rest will take as it goes now.
    pub left_s: Option<f64>,
}

impl Status {
    /// Cores of all workers.
    pub fn cores(&self) -> usize {
        self.workers.iter().map(|worker| worker.cores).sum()
    }

    /// How long the rest will take.
    pub fn left(&self) -> Option<Duration> {
        self.left_s.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }

    /// One line for a terminal, without the time that is left.
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

#[cfg(test)]
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
