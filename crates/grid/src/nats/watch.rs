//! Who is there and how it goes, as the coordinator sees it.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::Message;

use super::link::{Link, Signature};
use super::wire::Answer;
use crate::status::{Status, WorkerStatus};

/// A worker that was silent for so long is gone.
const SILENCE: Duration = Duration::from_secs(8);
/// Over how long the rate is taken.
const LATELY: Duration = Duration::from_secs(15);
/// How often the file is written.
const PAUSE: Duration = Duration::from_secs(1);

/// What is watched.
pub(super) struct Watch {
    status: Arc<Mutex<Status>>,
    file: Option<PathBuf>,
    seen: BTreeMap<String, (WorkerStatus, Instant)>,
    counted: VecDeque<(Instant, usize)>,
    written: Option<Instant>,
}

impl Watch {
    pub fn new(status: Arc<Mutex<Status>>, file: Option<PathBuf>) -> Watch {
        Watch { status, file, seen: BTreeMap::new(), counted: VecDeque::new(), written: None }
    }

    /// Whether no worker was heard of lately.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// Changes what is known.
    pub fn note(&self, change: impl FnOnce(&mut Status)) {
        change(&mut self.status.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Another list of tasks begins.
    pub fn begin(&mut self, tasks: usize) {
        self.counted.clear();
        self.note(|status| {
            status.running = true;
            status.tasks = tasks;
            status.done = 0;
            status.set_aside.clear();
        });
    }

    /// A worker tells of itself, and is answered.
    pub async fn hear(&mut self, message: Message, link: &Link, signature: &Signature) {
        let Ok(worker) = serde_json::from_slice::<WorkerStatus>(&message.payload) else { return };
        let welcome = worker.signature == signature.to_string();
        if let Some(reply) = message.reply {
            let reason = if welcome {
                String::new()
            } else {
                format!(
                    "the run needs workers of signature {signature} (version and bench nodes), and this one has {}; \
                     build both from the same sources",
                    worker.signature
                )
            };
            let answer = serde_json::to_vec(&Answer { welcome, reason }).expect("texts can be written");
            // It will tell of itself again.
            let _ = link.client.publish(reply, answer.into()).await;
        }
        if welcome {
            self.seen.insert(worker.id.clone(), (worker, Instant::now()));
        }
    }

    /// Brings everything up to date, now and then.
    pub fn refresh(&mut self, link: &Link, done: usize, waiting: usize) {
        if self.written.is_none_or(|written| written.elapsed() >= PAUSE) {
            self.bring_up_to_date(link, done, waiting);
        }
    }

    /// Brings everything up to date, and writes it down.
    pub fn bring_up_to_date(&mut self, link: &Link, done: usize, waiting: usize) {
        let now = Instant::now();
        self.seen.retain(|_, (_, heard)| now - *heard < SILENCE);
        self.counted.push_back((now, done));
        while self.counted.front().is_some_and(|(then, _)| now - *then > LATELY) && self.counted.len() > 2 {
            self.counted.pop_front();
        }
        let (first, before) = *self.counted.front().expect("one was just added");
        let seconds = (now - first).as_secs_f64();
        let rate = if seconds > 0.0 { (done - before) as f64 / seconds } else { 0.0 };
        let workers: Vec<WorkerStatus> = self.seen.values().map(|(worker, _)| worker.clone()).collect();
        self.note(|status| {
            status.connected = link.is_connected();
            status.workers = workers;
            status.done = done;
            status.waiting = waiting;
            status.per_second = rate;
            let left = status.tasks.saturating_sub(done);
            status.left_s = (rate > 0.0).then(|| left as f64 / rate);
        });
        self.written = Some(now);
        self.write();
    }

    /// Writes the file, if there is one. It need not survive a power cut, and what cannot be written is nobody's loss.
    pub fn write(&self) {
        let Some(file) = &self.file else { return };
        let status = self.status.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let text = serde_json::to_string(&status).expect("texts and numbers can be written");
        let temporary = file.with_extension(format!("json.{}.tmp", std::process::id()));
        let _ = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, file));
    }
}
