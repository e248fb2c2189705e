//! Progress of a reproduction: a line that is overwritten on a terminal, a line per step elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use tabia_reproduce::Progress;

use crate::terminal::ERASE_LINE;
use crate::text;

/// How often a terminal is written to.
const PAUSE: Duration = Duration::from_millis(200);
/// Share of the work before which the remaining time cannot be estimated.
const ENOUGH: f64 = 0.002;

/// Shows how it goes, on standard error.
pub struct Screen {
    terminal: bool,
    started: Instant,
    shown: Option<Instant>,
    step: usize,
}

impl Screen {
    /// Says what is about to happen.
    pub fn new(steps: usize, before: usize, threads: usize) -> Screen {
        let earlier = if before > 0 { format!(", {before} of them done before") } else { String::new() };
        eprintln!(
            "{}{earlier}; {}",
            text::counted(steps as u64, "step"),
            text::counted(threads as u64, "thread")
        );
        Screen { terminal: io::stderr().is_terminal(), started: Instant::now(), shown: None, step: 0 }
    }

    /// Shows where it stands, if it is time to.
    pub fn show(&mut self, progress: &Progress<'_>) {
        let is_new = self.step != progress.number;
        self.step = progress.number;
        if !self.terminal {
            if is_new {
                eprintln!(
                    "{} of {}: {}, {}",
                    progress.number,
                    progress.steps,
                    progress.step.id(),
                    progress.step.title
                );
            }
            return;
        }
        if !is_new && self.shown.is_some_and(|shown| shown.elapsed() < PAUSE) {
            return;
        }
        self.shown = Some(Instant::now());
        let parts = progress.parts.map(|(done, of)| format!(", {done} of {of}")).unwrap_or_default();
        eprint!(
            "{ERASE_LINE}{} of {}: {}{parts}{}",
            progress.number,
            progress.steps,
            progress.step.id(),
            self.left(progress.share)
        );
        // Progress that cannot be shown is no error.
        let _ = io::stderr().flush();
    }

    /// How long it may still take, once that can be told.
    fn left(&self, [before, now]: [f64; 2]) -> String {
        let done = now - before;
        if done < ENOUGH {
            return String::new();
        }
        let left = self.started.elapsed().mul_f64((1.0 - now).max(0.0) / done);
        format!(", {} left", text::duration(left))
    }

    /// Leaves the terminal as it was.
    pub fn finish(&self) {
        if self.terminal {
            eprint!("{ERASE_LINE}");
        }
    }
}
