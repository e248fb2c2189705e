//! One list of tasks being done: what is handed out, what is done, and what to do when nothing is heard.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::{Duration, Instant};

use async_nats::Subject;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tabia_core::Stop;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use super::checking::Check;
use super::publishing::{Confirmation, HANDED_OUT, UNCONFIRMED};
use super::results::Results;
use super::{Nats, PAUSE};
use crate::TICK;
use crate::error::{GridError, SetAside};
use crate::nats::link::ANSWER;
use crate::nats::watch::Watch;
use crate::task::{Ledger, Task};

/// When nothing was heard for so long, it is asked whether the server still knows of the tasks.
const SILENCE: Duration = Duration::from_secs(5);
/// A server that is there and does not answer so often, which takes a minute, is broken.
const MOST_UNANSWERED: u32 = 6;

/// Where a task stands.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Phase {
    Queued,
    HandedOut,
    Over,
}

pub(super) struct Entry {
    pub key: String,
    pub phase: Phase,
    /// How often it was asked for, from 1.
    pub attempt: u32,
    /// How often the same attempt was published anew, because the server had forgotten it.
    pub again: u32,
}

/// One list of tasks being done.
pub(super) struct Run<'a, T: Task> {
    pub grid: &'a Nats,
    pub tasks: &'a [T],
    /// Files that they share: their hashes.
    pub files: BTreeMap<String, String>,
    pub entries: Vec<Entry>,
    pub places: HashMap<String, usize>,
    pub queue: VecDeque<usize>,
    pub handed_out: usize,
    pub done: usize,
    pub set_aside: Vec<SetAside>,
    pub enough: bool,
    /// Tasks that are checked, by their places.
    pub checks: HashMap<usize, Check>,
    /// What is to be asked of workers: the place of a task, and where they listen.
    pub questions: Vec<(usize, Subject)>,
    pub heard: Instant,
    /// How often in a row the server, though there, did not say what it has.
    unanswered: u32,
    /// Since when the server takes no task.
    pub stuck: Option<Instant>,
    begun: Instant,
    /// Whether it was said that nobody is there.
    alone: bool,
}

impl<'a, T: Task> Run<'a, T> {
    pub fn new(grid: &'a Nats, tasks: &'a [T]) -> Result<Run<'a, T>, GridError> {
        let files = grid.parcel().hashes;
        let mut entries = Vec::with_capacity(tasks.len());
        let mut places = HashMap::with_capacity(tasks.len());
        for (place, task) in tasks.iter().enumerate() {
            let failed =
                |error: serde_json::Error| GridError::Failed { id: task.id(), why: error.to_string() };
            let key = grid.key::<T>(&files, &serde_json::value::to_raw_value(task).map_err(failed)?);
            places.insert(key.clone(), place);
            entries.push(Entry { key, phase: Phase::Queued, attempt: 1, again: 0 });
        }
        let queue = (0..tasks.len()).collect();
        Ok(Run {
            grid,
            tasks,
            files,
            entries,
            places,
            queue,
            handed_out: 0,
            done: 0,
            set_aside: Vec::new(),
            enough: false,
            checks: HashMap::new(),
            questions: Vec::new(),
            heard: Instant::now(),
            unanswered: 0,
            stuck: None,
            begun: Instant::now(),
            alone: false,
        })
    }

    fn is_over(&self) -> bool {
        self.enough || self.done + self.set_aside.len() == self.tasks.len()
    }

    pub async fn conduct(
        &mut self,
        stop: &Stop,
        ledger: &mut dyn Ledger<T>,
        watch: &mut Watch,
    ) -> Result<(), GridError> {
        let link = &self.grid.link;
        self.grid.forget_tasks().await;
        let mut workers =
            link.client.subscribe("tabia.worker.>").await.map_err(link.refused("news of workers"))?;
        let mut confirmations: FuturesUnordered<Confirmation> = FuturesUnordered::new();
        let mut results = Results::default();
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !self.is_over() {
            results.ask(self.grid).await;
            self.ask().await;
            // Results that wait from before come first, so that nothing is done twice.
            while results.old_ones_are_in
                && self.handed_out < HANDED_OUT
                && confirmations.len() < UNCONFIRMED
                && let Some(place) = self.queue.pop_front()
            {
                if self.entries[place].phase == Phase::Queued {
                    confirmations.push(self.hand_out(place).await?);
                }
            }
            tokio::select! {
                Some((place, confirmed)) = confirmations.next(), if !confirmations.is_empty() => {
                    self.confirm(place, confirmed).await?;
                }
                message = results.next() => {
                    if let Some(message) = message {
                        self.heard = Instant::now();
                        // A result whose acknowledgement is lost comes again, and is known.
                        if self.hear(&message, ledger, watch) {
                            let _ = message.ack().await;
                        }
                    }
                }
                Some(message) = workers.next() => watch.hear(message, link, &self.grid.coordination.signature).await,
                _ = ticks.tick() => {
                    watch.refresh(link, self.done, self.handed_out);
                    for (place, finding) in self.remind(watch) {
                        self.accept(place, finding, ledger, watch);
                    }
                    self.say_if_alone(watch);
                    if stop.is_stopped() || !ledger.tick() {
                        return Ok(());
                    }
                    if self.heard.elapsed() > SILENCE {
                        self.look_after(watch).await?;
                        self.heard = Instant::now();
                    }
                }
            }
        }
        Ok(())
    }

    /// Says once that no worker is there, when none has come for a while.
    fn say_if_alone(&mut self, watch: &Watch) {
        if !watch.is_empty() {
            self.alone = false;
            self.begun = Instant::now();
        } else if !self.alone && self.begun.elapsed() > SILENCE {
            self.alone = true;
            (self.grid.tell)(&format!(
                "no worker is there; start some: tabia worker --grid {}",
                self.grid.link.address
            ));
        }
    }

    pub fn queue_again(&mut self, place: usize) {
        let entry = &mut self.entries[place];
        if entry.phase == Phase::HandedOut {
            self.handed_out -= 1;
        }
        entry.phase = Phase::Queued;
        self.queue.push_back(place);
    }

    /// Nothing was heard for a while. If workers say that the server is full, it ends here. If the server knows neither of tasks nor of results of this run, what was handed out is lost; if it
    /// has some and hands out none, its queues are made anew.
    async fn look_after(&mut self, watch: &Watch) -> Result<(), GridError> {
        if self.handed_out == 0 || !self.grid.link.is_connected() {
            return Ok(());
        }
        if let Some(why) = watch.trouble() {
            return Err(GridError::Full { what: "results".to_owned(), why });
        }
        let Nats { supply, coordination, run, .. } = self.grid;
        for _ in 0..2 {
            let left = timeout(ANSWER, supply.left(&coordination.signature, run)).await;
            self.unanswered = if left.is_ok() { 0 } else { self.unanswered + 1 };
            match left {
                Ok(Some((0, 0))) => {}
                Ok(Some((tasks, results))) => {
                    if supply.mend(&coordination.signature, run, tasks, results).await {
                        (self.grid.tell)(
                            "the server had lost count of its messages; its queues were made anew",
                        );
                        self.grid.open_supply().await;
                    }
                    return Ok(());
                }
                Ok(None) if self.grid.link.is_connected() => {
                    self.grid.restore().await;
                    return Ok(());
                }
                Err(_) if self.unanswered >= MOST_UNANSWERED => {
                    let (address, what) =
                        (self.grid.link.address.clone(), "what it has of the run".to_owned());
                    let why =
                        "it does not answer; its log says why, and a full disk is a likely reason".to_owned();
                    return Err(GridError::Server { address, what, why });
                }
                _ => return Ok(()),
            }
            // A result may be on its way from the server to here.
            sleep(PAUSE).await;
        }
        let lost: Vec<usize> =
            (0..self.tasks.len()).filter(|place| self.entries[*place].phase == Phase::HandedOut).collect();
        (self.grid.tell)(&format!("the server has lost {} tasks; they are handed out again", lost.len()));
        for place in lost {
            self.entries[place].again += 1;
            self.queue_again(place);
        }
        Ok(())
    }
}
