//! The coordinator's view of the workers, and the status of the run.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::{Message, Subject};

use super::account::{SHARED, is_account};
use super::connection::{Connection, Signature, is_full};
use super::protocol::{PROTOCOL, WorkerReply, other_version};
use crate::status::{Status, WorkerStatus, printable};

/// A worker without a heartbeat for this long is gone.
const SILENCE: Duration = Duration::from_secs(8);
/// After this long every worker has sent a heartbeat.
const ROUND: Duration = Duration::from_secs(3);
/// Window of the rate.
const LATELY: Duration = Duration::from_secs(15);
/// How often the status file is written.
const PAUSE: Duration = Duration::from_secs(1);

/// A known worker.
struct Seen {
    worker: WorkerStatus,
    heard: Instant,
    /// Its inbox.
    inbox: Option<Subject>,
}

pub(super) struct WorkerMonitor {
    status: Arc<Mutex<Status>>,
    file: Option<PathBuf>,
    /// Whether the server distinguishes accounts.
    has_accounts: bool,
    /// By account and label.
    seen: BTreeMap<(String, String), Seen>,
    /// Distrusted accounts, and why.
    distrusted: BTreeMap<String, String>,
    counted: VecDeque<(Instant, usize)>,
    written: Option<Instant>,
    begun: Instant,
}

impl WorkerMonitor {
    pub fn new(status: Arc<Mutex<Status>>, file: Option<PathBuf>, has_accounts: bool) -> WorkerMonitor {
        WorkerMonitor {
            status,
            file,
            has_accounts,
            seen: BTreeMap::new(),
            distrusted: BTreeMap::new(),
            counted: VecDeque::new(),
            written: None,
            begun: Instant::now(),
        }
    }

    /// Whether there was no heartbeat of any worker lately.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// Updates the status.
    pub fn note(&self, change: impl FnOnce(&mut Status)) {
        change(&mut self.status.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Starts a new list of tasks.
    pub fn begin(&mut self, tasks: usize) {
        self.counted.clear();
        self.note(|status| {
            status.running = true;
            status.tasks = tasks;
            status.done = 0;
            status.set_aside.clear();
        });
    }

    /// Handles and answers a heartbeat.
    pub async fn hear(&mut self, message: Message, connection: &Connection, signature: &Signature) {
        let Ok(mut worker) = serde_json::from_slice::<WorkerStatus>(&message.payload) else { return };
        worker.clean();
        let refusal = self.refusal(&message.subject, &worker, signature);
        if let Some(reply) = message.reply.clone() {
            let (reason, leave) = refusal.clone().unwrap_or_default();
            let protocol = Some(PROTOCOL);
            let answer = WorkerReply { protocol, welcome: refusal.is_none(), reason, leave, check: None };
            let answer = serde_json::to_vec(&answer).expect("texts can be written");
            // A lost reply is repeated after the next heartbeat.
            let _ = connection.client.publish(reply, answer.into()).await;
        }
        if refusal.is_none() {
            worker.account = self.account_of(&message.subject).unwrap_or_default();
            let name = (worker.account.clone(), worker.id.clone());
            self.seen.insert(name, Seen { worker, heard: Instant::now(), inbox: message.reply });
        }
    }

    /// The account of a worker, from the subject of its heartbeat, `tabia.worker.ACCOUNT.ID`.
    fn account_of(&self, subject: &str) -> Option<String> {
        if !self.has_accounts {
            return Some(SHARED.to_owned());
        }
        subject.split('.').nth(2).filter(|account| is_account(account)).map(str::to_owned)
    }

    /// Why a worker is refused, and whether it must end.
    fn refusal(&self, subject: &str, worker: &WorkerStatus, signature: &Signature) -> Option<(String, bool)> {
        if worker.protocol != PROTOCOL {
            return Some((other_version("this worker", worker.protocol, "the coordinator"), true));
        }
        let Some(account) = self.account_of(subject) else {
            return Some((format!("{} names no account", printable(subject)), true));
        };
        if let Some(why) = self.distrusted.get(&account) {
            return Some((format!("account {account} is not trusted any more: {why}"), true));
        }
        let why = format!(
            "the run needs workers of signature {signature} (version and bench nodes), and this one has {}; \
             build both from the same sources",
            worker.signature
        );
        (worker.signature != signature.to_string()).then_some((why, false))
    }

    /// Whether every present worker has had time to send a heartbeat.
    pub fn has_heard_all_workers(&self) -> bool {
        self.begun.elapsed() > ROUND
    }

    /// Number of accounts with workers.
    pub fn accounts(&self) -> usize {
        self.seen.keys().map(|(account, _)| account).collect::<BTreeSet<_>>().len()
    }

    /// The least busy worker of another account than these, and its inbox. The account is selected by a number.
    pub fn another(&self, than: impl Fn(&str) -> bool, drawn: u64) -> Option<(String, String, Subject)> {
        let able = |seen: &&Seen| !seen.worker.draining && seen.inbox.is_some();
        let accounts: BTreeSet<&str> = self
            .seen
            .values()
            .filter(able)
            .map(|seen| seen.worker.account.as_str())
            .filter(|account| !than(account))
            .collect();
        let place = drawn.checked_rem(accounts.len() as u64)?;
        let account = accounts.into_iter().nth(place as usize)?;
        let workers = self.seen.values().filter(able).filter(|seen| seen.worker.account == account);
        let seen = workers.min_by_key(|seen| (seen.worker.busy, seen.worker.id.clone()))?;
        Some((account.to_owned(), seen.worker.id.clone(), seen.inbox.clone()?))
    }

    /// The inbox of a worker, if it is present.
    pub fn inbox_of(&self, account: &str, worker: &str) -> Option<Subject> {
        self.seen.get(&(account.to_owned(), worker.to_owned())).and_then(|seen| seen.inbox.clone())
    }

    /// The workers' error if they report that the server is full.
    pub fn trouble(&self) -> Option<String> {
        self.seen.values().find_map(|seen| seen.worker.trouble.clone().filter(|why| is_full(why)))
    }

    /// Whether results of an account count.
    pub fn is_trusted(&self, account: &str) -> bool {
        !self.distrusted.contains_key(account)
    }

    /// Distrusts an account with a wrong result.
    pub fn distrust(&mut self, account: &str, why: &str) {
        self.seen.retain(|(of, _), _| of != account);
        self.distrusted.insert(account.to_owned(), why.to_owned());
        self.note(|status| status.distrusted.push(account.to_owned()));
    }

    /// Updates the status now and then.
    pub fn refresh(&mut self, connection: &Connection, done: usize, waiting: usize) {
        if self.written.is_none_or(|written| written.elapsed() >= PAUSE) {
            self.update_status(connection, done, waiting);
        }
    }

    /// Updates the status and writes the file.
    pub fn update_status(&mut self, connection: &Connection, done: usize, waiting: usize) {
        let now = Instant::now();
        self.seen.retain(|_, seen| now - seen.heard < SILENCE);
        self.counted.push_back((now, done));
        while self.counted.front().is_some_and(|(then, _)| now - *then > LATELY) && self.counted.len() > 2 {
            self.counted.pop_front();
        }
        let (first, before) = *self.counted.front().expect("one was just added");
        let seconds = (now - first).as_secs_f64();
        let rate = if seconds > 0.0 { done.saturating_sub(before) as f64 / seconds } else { 0.0 };
        let workers: Vec<WorkerStatus> = self.seen.values().map(|seen| seen.worker.clone()).collect();
        self.note(|status| {
            status.connected = connection.is_connected();
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

    /// Writes the status file, if there is one. Not synced, and errors are ignored: it is only informative.
    pub fn write(&self) {
        let Some(file) = &self.file else { return };
        let status = self.status.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let text = serde_json::to_string(&status).expect("texts and numbers can be written");
        let temporary = file.with_extension(format!("json.{}.tmp", std::process::id()));
        let _ = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, file));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature() -> Signature {
        Signature { version: "1".to_owned(), nodes: 7 }
    }

    fn worker(account: &str, id: &str, busy: usize) -> WorkerStatus {
        WorkerStatus {
            protocol: PROTOCOL,
            account: account.to_owned(),
            id: id.to_owned(),
            signature: signature().to_string(),
            busy,
            ..WorkerStatus::default()
        }
    }

    fn watch(has_accounts: bool, workers: &[(&str, &str, usize)]) -> WorkerMonitor {
        let mut watch = WorkerMonitor::new(Arc::default(), None, has_accounts);
        for (account, id, busy) in workers {
            let (inbox, heard) = (Some(Subject::from("_INBOX.x")), Instant::now());
            let seen = Seen { worker: worker(account, id, *busy), heard, inbox };
            watch.seen.insert(((*account).to_owned(), (*id).to_owned()), seen);
        }
        watch
    }

    #[test]
    fn a_second_opinion_comes_from_another_account_whatever_its_workers_are_called() {
        let one = watch(true, &[("a", "one", 0), ("a", "two", 0), ("a", "three", 0)]);
        assert_eq!(one.another(|account| account == "a", 5), None);
        let three = watch(true, &[("a", "one", 0), ("b", "two", 3), ("b", "three", 1), ("c", "four", 0)]);
        assert_eq!(three.accounts(), 3);
        let requested =
            |drawn| three.another(|account| account == "a", drawn).map(|(account, id, _)| (account, id));
        assert_eq!(requested(0), Some(("b".to_owned(), "three".to_owned())));
        assert_eq!(requested(1), Some(("c".to_owned(), "four".to_owned())));
    }

    #[test]
    fn who_is_not_welcome_is_told_why() {
        let mut watch = watch(true, &[]);
        let refusal = |watch: &WorkerMonitor, subject: &str, worker: &WorkerStatus| {
            watch.refusal(subject, worker, &signature()).map(|(why, _)| why).unwrap_or_default()
        };
        let fine = worker("", "w", 0);
        assert_eq!(refusal(&watch, "tabia.worker.a.w", &fine), "");
        // Workers of version 1 send no version, and use another subject.
        let text = r#"{"id":"w","host":"h","cores":1,"version":"1","signature":"1-7","busy":0,"done":0,"failed":0,"draining":false}"#;
        let old: WorkerStatus = serde_json::from_str(text).unwrap();
        assert!(refusal(&watch, "tabia.worker.w", &old).contains("speaks version 1 of the grid's protocol"));
        let other = WorkerStatus { signature: "9-9".to_owned(), ..worker("", "w", 0) };
        assert!(refusal(&watch, "tabia.worker.a.w", &other).contains("signature 1-7"));
        watch.distrust("a", "it lied");
        // The account that a worker claims in the body is ignored.
        let disguised = worker("b", "w", 0);
        assert!(
            refusal(&watch, "tabia.worker.a.w", &disguised)
                .contains("account a is not trusted any more: it lied")
        );
        assert_eq!(refusal(&watch, "tabia.worker.b.w", &disguised), "");
    }

    #[test]
    fn without_accounts_everybody_is_one() {
        let watch = watch(false, &[]);
        assert_eq!(watch.account_of("tabia.worker.a.w"), watch.account_of("tabia.worker.b.w"));
    }
}
