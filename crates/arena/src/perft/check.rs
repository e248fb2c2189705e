//! A suite against a generator: every count as expected, or the names of those that are not.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;
use shakmaty::CastlingMode;
use tabia_core::Stop;

use super::count::Generator;
use super::suite::{self, Entry, PerftError};
use crate::parallel;

/// What a suite is checked with.
pub struct Check<'a> {
    /// Files and folders.
    pub paths: &'a [PathBuf],
    /// How castling rights are read; nothing is as each form has it.
    pub mode: Option<CastlingMode>,
    /// The largest count to try.
    pub max_nodes: u64,
    /// Whose moves.
    pub generator: Generator,
    /// How many threads.
    pub threads: NonZero<usize>,
}

/// What came of it.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Positions counted.
    pub positions: u64,
    /// Paths counted.
    pub nodes: u64,
    /// Counts that were not as expected.
    pub wrong: usize,
    /// Positions all of whose counts were too large.
    pub skipped: u64,
    /// It was stopped before the end.
    pub interrupted: bool,
    pub generator: Generator,
    pub max_nodes: u64,
    pub time_ms: u64,
    pub nps: u64,
    pub files: Vec<FileReport>,
    pub failures: Vec<Failure>,
}

/// The counts of a file.
#[derive(Debug, Serialize)]
pub struct FileReport {
    pub file: String,
    pub positions: u64,
    pub nodes: u64,
    pub wrong: u64,
    pub skipped: u64,
}

/// One count that is not as expected.
#[derive(Debug, Serialize)]
pub struct Failure {
    pub file: String,
    pub line: usize,
    pub fen: String,
    pub depth: u32,
    pub expected: u64,
    pub got: u64,
}

/// One position's turn.
enum Counted {
    Skipped,
    Stopped,
    Done { depth: u32, expected: u64, got: u64 },
}

impl Check<'_> {
    /// Counts every position at the deepest depth that `max_nodes` allows. `progress` hears how many positions are done, and of
    /// how many.
    pub fn run(&self, stop: &Stop, progress: impl Fn(usize, usize) + Sync) -> Result<Report, PerftError> {
        let mut suites: Vec<(String, Vec<Entry>)> = Vec::new();
        for path in self.paths {
            for file in suite::files(path)? {
                suites.push((file.display().to_string(), suite::read(&file, self.mode)?));
            }
        }
        let work: Vec<(usize, &Entry)> = suites
            .iter()
            .enumerate()
            .flat_map(|(index, (_, entries))| entries.iter().map(move |entry| (index, entry)))
            .collect();
        let (start, done) = (Instant::now(), AtomicUsize::new(0));
        let counted = parallel::map(&work, self.threads, |(_, entry)| {
            let counted = self.count(entry, stop);
            if !matches!(counted, Counted::Stopped) {
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, work.len());
            }
            counted
        });
        let mut report = self.sum_up(&suites, work.iter().zip(counted), start.elapsed());
        report.interrupted = stop.is_stopped();
        if report.positions == 0 && !report.interrupted {
            return Err(PerftError::NothingCounted(self.max_nodes));
        }
        Ok(report)
    }

    fn count(&self, entry: &Entry, stop: &Stop) -> Counted {
        let Some((depth, expected)) = entry.deepest_within(self.max_nodes) else { return Counted::Skipped };
        if stop.is_stopped() {
            return Counted::Stopped;
        }
        match self.generator.count(&entry.position, depth, stop) {
            Some(got) => Counted::Done { depth, expected, got },
            None => Counted::Stopped,
        }
    }

    fn sum_up<'a>(
        &self,
        suites: &[(String, Vec<Entry>)],
        counted: impl Iterator<Item = (&'a (usize, &'a Entry), Counted)>,
        elapsed: Duration,
    ) -> Report {
        let mut files: Vec<FileReport> = suites
            .iter()
            .map(|(file, _)| FileReport { file: file.clone(), positions: 0, nodes: 0, wrong: 0, skipped: 0 })
            .collect();
        let mut failures = Vec::new();
        for ((index, entry), counted) in counted {
            let file = &mut files[*index];
            match counted {
                Counted::Stopped => {}
                Counted::Skipped => file.skipped += 1,
                Counted::Done { depth, expected, got } => {
                    file.positions += 1;
                    file.nodes += got;
                    if got != expected {
                        file.wrong += 1;
                        let (name, fen) = (file.file.clone(), entry.fen.clone());
                        failures.push(Failure { file: name, line: entry.line, fen, depth, expected, got });
                    }
                }
            }
        }
        let nodes = files.iter().map(|file| file.nodes).sum();
        Report {
            positions: files.iter().map(|file| file.positions).sum(),
            nodes,
            wrong: failures.len(),
            skipped: files.iter().map(|file| file.skipped).sum(),
            interrupted: false,
            generator: self.generator,
            max_nodes: self.max_nodes,
            time_ms: elapsed.as_millis() as u64,
            nps: (nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64,
            files,
            failures,
        }
    }
}
