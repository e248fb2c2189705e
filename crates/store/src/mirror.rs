//! Uploads a training's files in a background thread.
//!
//! The manifest comes first, then each generation's games and checkpoint; of the checkpoints the last two stay, and those that are
//! kept permanently, as in the run directory. At the end come games that were kept for later generations. Files are uploaded in order; a
//! failed upload is retried with the next generation, before newer files. A file that has not changed since its last upload is not
//! uploaded again: the best network often stays the same for many generations. An unreachable location is reported and does not affect
//! the training.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use sha2::{Digest, Sha256};
use tabia_net::metrics::GenerationMetrics;
use tabia_net::training::{BEST, FINAL, METRICS};
use tabia_net::{checkpoint, shard};

use crate::location::{Location, StoreError};
use crate::{MANIFEST, name};

/// Files that are requested more than once.
const REPEATED: [&str; 4] = [MANIFEST, METRICS, BEST, FINAL];

/// Receives messages about failed uploads.
pub type Report = Box<dyn FnMut(&str) + Send>;

/// Mirrors a run directory to a location.
pub struct Mirror {
    directory: PathBuf,
    requests: mpsc::Sender<Vec<String>>,
    thread: JoinHandle<bool>,
}

impl Mirror {
    /// Starts mirroring. A new training refuses a location with another training; a resumed one uploads what is missing.
    pub fn start(
        location: Location,
        directory: &Path,
        keep_every: u32,
        resumed: bool,
        report: Report,
    ) -> Mirror {
        let (requests, received) = mpsc::channel();
        let mut uploader = Uploader {
            location,
            directory: directory.to_owned(),
            pending: Vec::new(),
            checkpoints: BTreeSet::new(),
            last_checkpoint: None,
            uploaded: HashMap::new(),
            keep_every,
            resumed,
            is_ready: false,
            report,
        };
        // A training with initial weights has a checkpoint before its first generation.
        let first = vec![MANIFEST.to_owned(), name(&checkpoint::path(directory, 0))];
        // The receiver is alive: it moves into the thread below.
        let _ = requests.send(first);
        Mirror {
            directory: directory.to_owned(),
            requests,
            thread: thread::spawn(move || {
                for names in received {
                    uploader.upload(names);
                }
                uploader.pending.is_empty()
            }),
        }
    }

    /// Uploads a finished generation: its games, the best network so far, and its checkpoint.
    pub fn generation(&self, metrics: &GenerationMetrics) {
        let generation = metrics.generation;
        let mut names = vec![name(&shard::path(&self.directory, generation)), BEST.to_owned()];
        names.extend(self.resumable(generation));
        self.request(names);
    }

    /// Uploads the last checkpoint and network, and games that were kept for the generations after it; waits, and returns whether
    /// everything was uploaded.
    pub fn finish(self, generation: u32) -> bool {
        let mut names: Vec<String> = complete_games(&self.directory, generation + 1).collect();
        names.push(BEST.to_owned());
        if generation > 0 {
            names.extend(self.resumable(generation));
        }
        names.push(FINAL.to_owned());
        self.request(names);
        drop(self.requests);
        self.thread.join().unwrap_or(false)
    }

    /// Files needed to resume after a generation, the checkpoint last.
    fn resumable(&self, generation: u32) -> [String; 3] {
        [MANIFEST.to_owned(), METRICS.to_owned(), name(&checkpoint::path(&self.directory, generation))]
    }

    fn request(&self, names: Vec<String>) {
        // A thread that has ended has reported why.
        let _ = self.requests.send(names);
    }
}

/// Files of games from this generation on, up to the first that is not complete.
fn complete_games(directory: &Path, first: u32) -> impl Iterator<Item = String> {
    let paths = (first..=u32::MAX).map(move |generation| shard::path(directory, generation));
    paths.take_while(|path| path.exists()).map(|path| name(&path))
}

fn digest(path: &Path) -> io::Result<[u8; 32]> {
    let mut digest = Sha256::new();
    io::copy(&mut File::open(path)?, &mut digest)?;
    Ok(digest.finalize().into())
}

struct Uploader {
    location: Location,
    directory: PathBuf,
    /// Files to upload, in order.
    pending: Vec<String>,
    /// Generations whose checkpoints are there.
    checkpoints: BTreeSet<u32>,
    /// The one that this process uploaded last.
    last_checkpoint: Option<u32>,
    /// SHA-256 of the files that are requested again and again, as they were last uploaded.
    uploaded: HashMap<String, [u8; 32]>,
    keep_every: u32,
    resumed: bool,
    /// Whether the location's contents were checked.
    is_ready: bool,
    report: Report,
}

impl Uploader {
    fn upload(&mut self, names: Vec<String>) {
        // A file requested again is uploaded once, at its new place in the order.
        self.pending.retain(|name| !names.contains(name));
        self.pending.extend(names);
        if let Err(error) = self.upload_all() {
            (self.report)(&format!("{error}; the file is kept locally and the upload retried later"));
        }
    }

    fn upload_all(&mut self) -> Result<(), StoreError> {
        if !self.is_ready {
            self.prepare()?;
            self.is_ready = true;
        }
        while let Some(name) = self.pending.first() {
            let path = self.directory.join(name);
            // A file that cannot be read is left to `put`, which says why.
            let digest = REPEATED.contains(&name.as_str()).then(|| digest(&path).ok()).flatten();
            let is_unchanged = digest.is_some() && self.uploaded.get(name) == digest.as_ref();
            // There may be no best network, and an old checkpoint may have been removed.
            if !is_unchanged && path.exists() {
                self.location.put(name, &path)?;
                if let Some(generation) = checkpoint::generation(name) {
                    self.checkpoints.insert(generation);
                    self.last_checkpoint = Some(generation);
                }
                self.uploaded.extend(digest.map(|digest| (name.clone(), digest)));
            }
            self.pending.remove(0);
        }
        self.remove_old_checkpoints()
    }

    fn remove_old_checkpoints(&mut self) -> Result<(), StoreError> {
        let Some(last) = self.last_checkpoint else { return Ok(()) };
        let present: Vec<u32> = self.checkpoints.iter().copied().collect();
        for generation in checkpoint::expired(&present, last, self.keep_every) {
            self.location.remove(&name(&checkpoint::path(&self.directory, generation)))?;
            self.checkpoints.remove(&generation);
        }
        Ok(())
    }

    /// Checks the location's contents before the first upload.
    fn prepare(&mut self) -> Result<(), StoreError> {
        let present = self.location.names()?;
        if !self.resumed && present.iter().any(|name| name == MANIFEST) {
            let why = "holds another training; nothing is uploaded there".to_owned();
            return Err(StoreError::Nothing { location: self.location.address().to_owned(), why });
        }
        self.checkpoints = present.iter().filter_map(|name| checkpoint::generation(name)).collect();
        // Games played without a mirror are uploaded first.
        let missing: Vec<String> = complete_games(&self.directory, 1)
            .filter(|name| !present.contains(name) && !self.pending.contains(name))
            .collect();
        self.pending.splice(0..0, missing);
        Ok(())
    }
}
