//! Progress of a match: a line that is overwritten on a terminal, a few lines elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use tabia_arena::tournament::Progress;
use tabia_core::{Outcome, Reason, printable};
use tabia_grid::Status;

use crate::terminal::ERASE_LINE;
use crate::text;

/// How often progress is printed, on a terminal and elsewhere.
const ON_A_TERMINAL: Duration = Duration::from_millis(200);
const ELSEWHERE: Duration = Duration::from_secs(30);
/// Faults that are reported individually.
const FAULTS_TOLD: usize = 10;
/// Fraction of the SPRT bound from which the remaining games are estimated.
const MIN_LEAN: f64 = 0.05;

/// Shows the progress of a match on standard error.
pub struct Screen {
    terminal: bool,
    started: Instant,
    shown: Option<Instant>,
    before: usize,
    first: String,
    faults: usize,
    line: bool,
}

/// Description of a match that is about to start.
pub struct MatchHeader {
    /// The players; results are from the first one's point of view.
    pub names: Vec<String>,
    /// Games of the schedule.
    pub games: usize,
    /// Games played before it was resumed.
    pub before: usize,
    /// Bytes of an unfinished line that was dropped from the journal.
    pub dropped_bytes: usize,
    /// Concurrent games, if they are played locally.
    pub workers: Option<usize>,
}

impl Screen {
    /// Prints what is about to be played.
    pub fn new(header: &MatchHeader) -> Screen {
        let MatchHeader { names, games, before, dropped_bytes, workers } = header;
        let terminal = io::stderr().is_terminal();
        let concurrency = workers.map_or("by workers".to_owned(), |workers| format!("{workers} at a time"));
        eprintln!("{}: {games} games, {concurrency}", names.join(" against "));
        if *dropped_bytes > 0 {
            eprintln!("The last line of the journal was cut short; its {dropped_bytes} bytes were dropped.");
        }
        if *before > 0 {
            eprintln!("{before} games were played before.");
        }
        Screen {
            terminal,
            started: Instant::now(),
            shown: None,
            before: *before,
            first: names.first().cloned().unwrap_or_default(),
            faults: 0,
            line: false,
        }
    }

    /// Prints progress, if it is due.
    pub fn show(&mut self, progress: &Progress<'_>, workers: Option<&Status>) {
        if let Some((pairing, record)) = progress.ended
            && let Some(Outcome { reason: Reason::TimeForfeit | Reason::IllegalMove | Reason::Fault, .. }) =
                record.outcome
        {
            self.fault(pairing.game + 1, record);
        }
        let pause = if self.terminal { ON_A_TERMINAL } else { ELSEWHERE };
        if self.shown.unwrap_or(self.started).elapsed() < pause {
            return;
        }
        self.shown = Some(Instant::now());
        let mut summary = self.summary(progress);
        if let Some(status) = workers {
            summary = format!("{summary}; {}", status.line());
        }
        self.write(&summary);
    }

    fn fault(&mut self, game: usize, record: &tabia_games::GameRecord) {
        self.faults += 1;
        if self.faults > FAULTS_TOLD {
            return;
        }
        self.erase();
        let outcome = record.outcome.map(|outcome| outcome.to_string()).unwrap_or_default();
        let detail = record.detail.as_deref().unwrap_or_default();
        let line = format!("game {game}, {} against {}: {outcome}: {detail}", record.white, record.black);
        eprintln!("{}", printable(&line));
        if self.faults == FAULTS_TOLD {
            eprintln!("further faults are counted, and their games say what happened");
        }
    }

    fn summary(&self, progress: &Progress<'_>) -> String {
        let scoreboard = progress.scoreboard;
        let tally = scoreboard.tally(0);
        let mut parts = vec![format!(
            "{} of {} games; {}: +{} ={} -{}",
            progress.finished, progress.total, self.first, tally.wins, tally.draws, tally.losses
        )];
        let estimate = tally.estimate();
        if let (Some(elo), Some(error)) = (estimate.elo, estimate.elo_error_95) {
            parts.push(format!("Elo {elo:+.0} ± {error:.0}"));
        }
        if let Some(sprt) = scoreboard.sprt() {
            let (lower, upper) = sprt.bounds();
            parts.push(format!("LLR {:.2} in {lower:.2}..{upper:.2}", sprt.llr()));
        }
        let faults = scoreboard.all_faults();
        if faults > 0 {
            parts.push(format!("{faults} faults"));
        }
        let played = progress.finished - self.before;
        let left = match scoreboard.sprt() {
            Some(sprt) => undecided(progress.finished, progress.total, sprt.llr(), sprt.bounds()),
            None => Some(progress.total - progress.finished),
        };
        if let Some(left) = left.filter(|left| *left > 0 && played > 0) {
            let time = self.started.elapsed().mul_f64(left as f64 / played as f64);
            let about = if scoreboard.sprt().is_some() { "about " } else { "" };
            parts.push(format!("{about}{} left", text::duration(time)));
        }
        parts.join(", ")
    }

    fn write(&mut self, text: &str) {
        if self.terminal {
            eprint!("{ERASE_LINE}{text}");
            // Errors of progress output are ignored.
            let _ = io::stderr().flush();
            self.line = true;
        } else {
            eprintln!("{text}");
        }
    }

    fn erase(&mut self) {
        if std::mem::take(&mut self.line) {
            eprint!("{ERASE_LINE}");
        }
    }

    /// Restores the terminal.
    pub fn finish(&mut self) {
        self.erase();
    }
}

/// Estimated remaining games of a sequential test; `None` while the LLR favours neither side.
fn undecided(finished: usize, total: usize, llr: f64, (lower, upper): (f64, f64)) -> Option<usize> {
    let bound = if llr < 0.0 { lower } else { upper };
    let lean = llr / bound;
    (lean > MIN_LEAN).then(|| ((finished as f64 / lean) as usize).min(total).saturating_sub(finished))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_test_is_guessed_from_how_far_it_has_come() {
        let bounds = (-2.0, 3.0);
        assert_eq!(undecided(100, 100_000, 1.5, bounds), Some(100));
        assert_eq!(undecided(100, 100_000, -0.5, bounds), Some(300));
        assert_eq!(undecided(100, 250, -0.5, bounds), Some(150));
        assert_eq!(undecided(100, 100_000, 0.01, bounds), None);
        assert_eq!(undecided(100, 100_000, 3.1, bounds), Some(0));
    }
}
