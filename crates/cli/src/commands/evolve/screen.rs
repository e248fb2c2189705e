//! Progress of an evolution: a line that is overwritten on a terminal, a line per generation elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use tabia_evolve::{Evolution, Generation, Progress};
use tabia_grid::Status;

use crate::terminal::ERASE_LINE;
use crate::text;

/// How often a terminal is written to.
const PAUSE: Duration = Duration::from_millis(200);

/// Shows how it goes, on standard error.
pub struct Screen {
    terminal: bool,
    started: Instant,
    shown: Option<Instant>,
    /// Tasks that this process has done.
    done: u64,
    generation: Option<u32>,
}

impl Screen {
    /// Announces the run, with its number of threads or workers.
    pub fn new(evolution: &Evolution, threads: Option<usize>) -> Screen {
        let settings = evolution.settings();
        let concurrency = threads.map_or("by workers".to_owned(), |threads| format!("{threads} at a time"));
        eprintln!(
            "{} chromosomes, {} generations of {} tasks, {concurrency}",
            settings.population,
            settings.generations,
            evolution.tasks_per_generation()
        );
        let before = evolution.history().generations.len();
        if before > 0 || evolution.done_before() > 0 {
            eprintln!("{before} generations and {} tasks were done before.", evolution.done_before());
        }
        Screen {
            terminal: io::stderr().is_terminal(),
            started: Instant::now(),
            shown: None,
            done: 0,
            generation: None,
        }
    }

    /// Shows where it stands, if it is time to.
    pub fn show(&mut self, progress: &Progress<'_>, workers: Option<&Status>) {
        self.done += 1;
        if self.generation.is_some_and(|before| before != progress.generation)
            && let Some(last) = progress.last
        {
            self.erase();
            eprintln!("{}", line(last));
        }
        self.generation = Some(progress.generation);
        if !self.terminal || self.shown.is_some_and(|shown| shown.elapsed() < PAUSE) {
            return;
        }
        self.shown = Some(Instant::now());
        let elapsed = self.started.elapsed();
        let generations_left = (progress.generations - progress.generation - 1) as usize;
        let left = generations_left * progress.tasks + progress.tasks - progress.done;
        let rate = self.done as f64 / elapsed.as_secs_f64().max(1e-9);
        eprint!(
            "{ERASE_LINE}generation {} of {}: {} of {} tasks, {rate:.1} a second{}, {} left",
            progress.generation + 1,
            progress.generations,
            progress.done,
            progress.tasks,
            workers.map(|status| format!(" ({})", status.line())).unwrap_or_default(),
            text::duration(elapsed.mul_f64(left as f64 / self.done as f64))
        );
        // Progress that cannot be shown is no error.
        let _ = io::stderr().flush();
    }

    fn erase(&self) {
        if self.terminal {
            eprint!("{ERASE_LINE}");
        }
    }

    /// Leaves the terminal as it was; tasks per second.
    pub fn finish(&mut self, last: Option<&Generation>) -> f64 {
        self.erase();
        if let Some(last) = last.filter(|_| self.done > 0) {
            eprintln!("{}", line(last));
        }
        self.done as f64 / self.started.elapsed().as_secs_f64().max(1e-9)
    }
}

fn line(generation: &Generation) -> String {
    let Generation { generation, best, mean, worst, diversity, wins, draws, losses, .. } = generation;
    let games = match (wins, draws, losses) {
        (Some(wins), Some(draws), Some(losses)) => format!("; games +{wins} ={draws} -{losses}"),
        _ => String::new(),
    };
    format!(
        "generation {generation}: best {best:.1}, mean {mean:.1}, worst {worst:.1}, diversity {diversity:.3}{games}"
    )
}
