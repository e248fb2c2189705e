//! Who is there and how it goes, as the coordinator sees it.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::{Message, Subject};

use super::link::{Link, Signature, is_full};
use super::wire::Answer;
use crate::status::{Status, WorkerStatus};

/// A worker that was silent for so long is gone.
const SILENCE: Duration = Duration::from_secs(8);
/// After so long everybody has told of itself.
const ROUND: Duration = Duration::from_secs(3);
/// Over how long the rate is taken.
const LATELY: Duration = Duration::from_secs(15);
/// How often the file is written.
const PAUSE: Duration = Duration::from_secs(1);

/// A worker that was heard of.
struct Seen {
    worker: WorkerStatus,
    heard: Instant,
    /// Where it listens.
    inbox: Option<Subject>,
}

/// What is watched.
pub(super) struct Watch {
    status: Arc<Mutex<Status>>,
    file: Option<PathBuf>,
    seen: BTreeMap<String, Seen>,
    /// Workers whose results were wrong, and why that is known.
    distrusted: BTreeMap<String, String>,
    /// Results counted of each worker.
    counted_of: BTreeMap<String, usize>,
    counted: VecDeque<(Instant, usize)>,
    written: Option<Instant>,
    begun: Instant,
}

impl Watch {
    pub fn new(status: Arc<Mutex<Status>>, file: Option<PathBuf>) -> Watch {
        Watch {
            status,
            file,
            seen: BTreeMap::new(),
            distrusted: BTreeMap::new(),
            counted_of: BTreeMap::new(),
            counted: VecDeque::new(),
            written: None,
            begun: Instant::now(),
        }
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
        let wrong = self.distrusted.get(&worker.id);
        let welcome = worker.signature == signature.to_string() && wrong.is_none();
        if let Some(reply) = message.reply.clone() {
            let reason = if let Some(wrong) = wrong {
                wrong.clone()
            } else if welcome {
                String::new()
            } else {
                format!(
                    "the run needs workers of signature {signature} (version and bench nodes), and this one has {}; \
                     build both from the same sources",
                    worker.signature
                )
            };
            let answer = Answer { welcome, reason, leave: wrong.is_some(), check: None };
            let answer = serde_json::to_vec(&answer).expect("texts can be written");
            // It will tell of itself again.
            let _ = link.client.publish(reply, answer.into()).await;
        }
        if welcome {
            let seen = Seen { worker, heard: Instant::now(), inbox: message.reply };
            self.seen.insert(seen.worker.id.clone(), seen);
        }
    }

    /// Whether all workers that are there have had the time to say so.
    pub fn knows_all(&self) -> bool {
        self.begun.elapsed() > ROUND
    }

    /// Another worker than these, with the least to do, and where it listens.
    pub fn another(&self, than: impl Fn(&str) -> bool) -> Option<(String, Subject)> {
        self.seen
            .values()
            .filter(|seen| !seen.worker.draining && !than(&seen.worker.id))
            .filter_map(|seen| Some((seen.worker.busy, seen.worker.id.clone(), seen.inbox.clone()?)))
            .min_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)))
            .map(|(_, id, inbox)| (id, inbox))
    }

    /// Where a worker listens, if it is there.
    pub fn inbox_of(&self, worker: &str) -> Option<Subject> {
        self.seen.get(worker).and_then(|seen| seen.inbox.clone())
    }

    /// Why the server takes no results, where workers say that it is full.
    pub fn trouble(&self) -> Option<String> {
        self.seen.values().find_map(|seen| seen.worker.trouble.clone().filter(|why| is_full(why)))
    }

    /// Whether a worker's results are counted.
    pub fn is_trusted(&self, worker: &str) -> bool {
        !self.distrusted.contains_key(worker)
    }

    /// A result of a worker was counted.
    pub fn count(&mut self, worker: &str) {
        *self.counted_of.entry(worker.to_owned()).or_default() += 1;
    }

    /// A worker gave a wrong result: no other of it is counted. How many were before.
    pub fn distrust(&mut self, worker: &str, why: String) -> usize {
        self.seen.remove(worker);
        self.distrusted.insert(worker.to_owned(), why);
        self.note(|status| status.distrusted.push(worker.to_owned()));
        self.counted_of.get(worker).copied().unwrap_or_default()
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
        self.seen.retain(|_, seen| now - seen.heard < SILENCE);
        self.counted.push_back((now, done));
        while self.counted.front().is_some_and(|(then, _)| now - *then > LATELY) && self.counted.len() > 2 {
            self.counted.pop_front();
        }
        let (first, before) = *self.counted.front().expect("one was just added");
        let seconds = (now - first).as_secs_f64();
        let rate = if seconds > 0.0 { (done - before) as f64 / seconds } else { 0.0 };
        let workers: Vec<WorkerStatus> = self.seen.values().map(|seen| seen.worker.clone()).collect();
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
