//! What a training writes is put elsewhere too, by a thread that the training does not wait for.
//!
//! Files go in order, and what could not be put is tried again with the next generation, before anything newer. A place that cannot be reached costs words
//! on the screen and nothing else.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use tabia_net::metrics::Line;
use tabia_net::training::{BEST, FINAL, METRICS};
use tabia_net::{checkpoint, shard};

use crate::place::{Place, StoreError};
use crate::{MANIFEST, name};

/// What is said when something could not be put.
pub type Report = Box<dyn FnMut(&str) + Send>;

/// Puts a run directory's files elsewhere.
pub struct Keeper {
    directory: PathBuf,
    keep_every: u32,
    orders: mpsc::Sender<Vec<String>>,
    worker: JoinHandle<bool>,
}

impl Keeper {
    /// Begins. A new training takes an empty place, and keeps nothing in one that holds another; a resumed one puts what is missing there.
    pub fn start(place: Place, directory: &Path, keep_every: u32, resumed: bool, report: Report) -> Keeper {
        let (orders, taken) = mpsc::channel();
        let mut worker = Worker {
            place,
            directory: directory.to_owned(),
            waiting: Vec::new(),
            resumed,
            begun: false,
            report,
        };
        Keeper {
            directory: directory.to_owned(),
            keep_every,
            orders,
            worker: thread::spawn(move || {
                for names in taken {
                    worker.take(names);
                }
                worker.waiting.is_empty()
            }),
        }
    }

    /// A generation is done: its games, the best network if this may be it, and the checkpoint if it is one that is kept.
    pub fn generation(&self, line: &Line) {
        let generation = line.generation;
        let mut names = vec![name(&shard::path(&self.directory, generation))];
        if !line.scores.is_empty() {
            names.push(BEST.to_owned());
        }
        if self.keep_every > 0 && generation.is_multiple_of(self.keep_every) {
            names.extend(self.standing(generation));
        }
        self.order(names);
    }

    /// The training ends: the last checkpoint and the network as it is. Waits until all is there; whether it is.
    pub fn finish(self, generation: u32) -> bool {
        let mut names = vec![BEST.to_owned()];
        if generation > 0 {
            names.extend(self.standing(generation));
        }
        names.push(FINAL.to_owned());
        self.order(names);
        drop(self.orders);
        self.worker.join().unwrap_or(false)
    }

    /// What is needed to go on after a generation, the checkpoint last.
    fn standing(&self, generation: u32) -> [String; 3] {
        [MANIFEST.to_owned(), METRICS.to_owned(), name(&checkpoint::path(&self.directory, generation))]
    }

    fn order(&self, names: Vec<String>) {
        // A worker that is gone has said why.
        let _ = self.orders.send(names);
    }
}

struct Worker {
    place: Place,
    directory: PathBuf,
    /// What is still to be put, in order.
    waiting: Vec<String>,
    resumed: bool,
    /// Whether it is known what is there.
    begun: bool,
    report: Report,
}

impl Worker {
    fn take(&mut self, names: Vec<String>) {
        // What is put again anyway need not be put twice.
        self.waiting.retain(|name| !names.contains(name));
        self.waiting.extend(names);
        if let Err(error) = self.put_all() {
            (self.report)(&format!("{error}; it is kept here, and tried again later"));
        }
    }

    fn put_all(&mut self) -> Result<(), StoreError> {
        if !self.begun {
            self.begin()?;
            self.begun = true;
        }
        while let Some(name) = self.waiting.first() {
            let path = self.directory.join(name);
            // There may be no best network, and a checkpoint that waited for long may have been cleared away.
            if path.exists() {
                self.place.put(name, &path)?;
            }
            self.waiting.remove(0);
        }
        Ok(())
    }

    /// Looks what is there before anything is put.
    fn begin(&mut self) -> Result<(), StoreError> {
        let there = self.place.names()?;
        if !self.resumed && there.iter().any(|name| name == MANIFEST) {
            let why = "holds another training; nothing is put there".to_owned();
            return Err(StoreError::Nothing { place: self.place.address().to_owned(), why });
        }
        // Games that were played when nobody kept them, before all that is waiting.
        let missing = (1..=u32::MAX)
            .map(|generation| shard::path(&self.directory, generation))
            .take_while(|path| path.exists())
            .map(|path| name(&path))
            .filter(|name| !there.contains(name) && !self.waiting.contains(name));
        let missing: Vec<String> = missing.collect();
        self.waiting.splice(0..0, missing);
        Ok(())
    }
}
