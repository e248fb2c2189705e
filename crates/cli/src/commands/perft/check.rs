//! A suite against a generator: every count as expected, or the names of those that are not.

use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::bail;
use serde::Serialize;
use shakmaty::CastlingMode;
use tabia_core::Stop;

use super::count::Generator;
use super::suite::{self, Entry};
use crate::terminal::ERASE_LINE;
use crate::{interrupt, parallel, text};

/// How many positions lie between two signs of life.
const PROGRESS_STEP: usize = 64;

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
    /// Ctrl-C came before the end.
    pub interrupted: bool,
    generator: Generator,
    max_nodes: u64,
    time_ms: u64,
    nps: u64,
    files: Vec<FileReport>,
    failures: Vec<Failure>,
}

#[derive(Debug, Serialize)]
struct FileReport {
    file: String,
    positions: u64,
    nodes: u64,
    wrong: u64,
    skipped: u64,
}

/// One count that is not as expected.
#[derive(Debug, Serialize)]
struct Failure {
    file: String,
    line: usize,
    fen: String,
    depth: u32,
    expected: u64,
    got: u64,
}

/// One position's turn.
enum Counted {
    Skipped,
    Stopped,
    Done { depth: u32, expected: u64, got: u64 },
}

impl Check<'_> {
    /// Counts every position at the deepest depth that `max_nodes` allows.
    pub fn run(&self) -> anyhow::Result<Report> {
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
        let stop = interrupt::stop_flag()?;
        let start = Instant::now();
        let progress = Progress::new(work.len());
        let counted = parallel::map(&work, self.threads, |(_, entry)| {
            let counted = self.count(entry, &stop);
            progress.step();
            counted
        });
        progress.finish();
        if stop.is_stopped() {
            let done = counted.iter().filter(|counted| !matches!(counted, Counted::Stopped)).count();
            eprintln!("tabia: interrupted after {done} of {} positions", work.len());
        }
        let mut report = self.sum_up(&suites, work.iter().zip(counted), start.elapsed());
        report.interrupted = stop.is_stopped();
        if report.positions == 0 && !report.interrupted {
            bail!("nothing was counted: no position has a count of at most {} nodes", self.max_nodes);
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
            nps: text::per_second(nodes, elapsed),
            files,
            failures,
        }
    }
}

impl Report {
    /// For people: each wrong count, each file, and the sum on the last line.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for failure in &self.failures {
            let Failure { file, line, fen, depth, expected, got } = failure;
            writeln!(out, "{file}:{line}: depth {depth}: expected {expected}, got {got} ({fen})")?;
        }
        let width = self.files.iter().map(|file| file.file.chars().count()).max().unwrap_or(0);
        for FileReport { file, positions, nodes, wrong, skipped } in &self.files {
            write!(out, "{file:width$} {positions:>7} positions {nodes:>14} nodes {wrong:>4} wrong")?;
            writeln!(out, "{}", if *skipped > 0 { format!(" {skipped:>4} skipped") } else { String::new() })?;
        }
        let seconds = self.time_ms as f64 / 1000.0;
        writeln!(out, "{} generator: {seconds:.1} s, {} nps", self.generator.name(), self.nps)?;
        if self.skipped > 0 {
            writeln!(
                out,
                "{} skipped: all their counts are above {} nodes (--max-nodes)",
                self.skipped, self.max_nodes
            )?;
        }
        writeln!(out, "{} positions, {} nodes, {} wrong", self.positions, self.nodes, self.wrong)
    }
}

/// A count on standard error while a person waits.
struct Progress {
    total: usize,
    done: AtomicUsize,
    shown: bool,
}

impl Progress {
    fn new(total: usize) -> Progress {
        Progress { total, done: AtomicUsize::new(0), shown: io::stderr().is_terminal() }
    }

    fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.shown && done.is_multiple_of(PROGRESS_STEP) {
            eprint!("{ERASE_LINE}{done}/{} positions", self.total);
        }
    }

    fn finish(&self) {
        if self.shown {
            eprint!("{ERASE_LINE}");
        }
    }
}
