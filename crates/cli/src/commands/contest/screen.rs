//! A match in progress, for a person: a line that changes on a terminal, a few lines anywhere else.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use tabia_arena::contest::Progress;
use tabia_arena::contest::chess::Event;
use tabia_core::{Outcome, Reason};

use crate::terminal::ERASE_LINE;
use crate::text;

/// How often a terminal is written to, and anything else.
const ON_A_TERMINAL: Duration = Duration::from_millis(200);
const ELSEWHERE: Duration = Duration::from_secs(30);
/// How many faults are told one by one.
const FAULTS_TOLD: usize = 10;

/// Shows how a match goes, on standard error.
pub struct Screen {
    terminal: bool,
    started: Instant,
    shown: Option<Instant>,
    before: usize,
    first: String,
    faults: usize,
    line: bool,
}

impl Screen {
    /// Says what is about to be played.
    pub fn new(event: &Event, workers: usize) -> Screen {
        let settings = event.settings();
        let terminal = io::stderr().is_terminal();
        let names: Vec<&str> = settings.agents.iter().map(|agent| agent.name.as_str()).collect();
        eprintln!("{}: {} games, {workers} at a time", names.join(" against "), settings.schedule().len());
        if event.dropped_bytes() > 0 {
            eprintln!(
                "The last line of the journal was cut short; its {} bytes were dropped.",
                event.dropped_bytes()
            );
        }
        if event.already_played() > 0 {
            eprintln!("{} games were played before.", event.already_played());
        }
        Screen {
            terminal,
            started: Instant::now(),
            shown: None,
            before: event.already_played(),
            first: settings.agents[0].name.clone(),
            faults: 0,
            line: false,
        }
    }

    /// Shows where it stands, if it is time to.
    pub fn show(&mut self, progress: &Progress<'_>) {
        if let Some((fixture, record)) = progress.ended
            && let Some(Outcome { reason: Reason::TimeForfeit | Reason::IllegalMove | Reason::Fault, .. }) =
                record.outcome
        {
            self.fault(fixture.game + 1, record);
        }
        let pause = if self.terminal { ON_A_TERMINAL } else { ELSEWHERE };
        if self.shown.unwrap_or(self.started).elapsed() < pause {
            return;
        }
        self.shown = Some(Instant::now());
        self.write(&self.summary(progress));
    }

    fn fault(&mut self, game: usize, record: &tabia_arena::GameRecord) {
        self.faults += 1;
        if self.faults > FAULTS_TOLD {
            return;
        }
        self.erase();
        let outcome = record.outcome.map(|outcome| outcome.to_string()).unwrap_or_default();
        let detail = record.detail.as_deref().unwrap_or_default();
        eprintln!("game {game}, {} against {}: {outcome}: {detail}", record.white, record.black);
        if self.faults == FAULTS_TOLD {
            eprintln!("further faults are counted, and their games say what happened");
        }
    }

    fn summary(&self, progress: &Progress<'_>) -> String {
        let standing = progress.standing;
        let tally = standing.tally(0);
        let mut parts = vec![format!(
            "{} of {} games; {}: +{} ={} -{}",
            progress.finished, progress.total, self.first, tally.wins, tally.draws, tally.losses
        )];
        let estimate = tally.estimate();
        if let (Some(elo), Some(error)) = (estimate.elo, estimate.elo_error_95) {
            parts.push(format!("Elo {elo:+.0} ± {error:.0}"));
        }
        if let Some(sprt) = standing.sprt() {
            let (lower, upper) = sprt.bounds();
            parts.push(format!("LLR {:.2} in {lower:.2}..{upper:.2}", sprt.llr()));
        }
        let faults = standing.all_faults();
        if faults > 0 {
            parts.push(format!("{faults} faults"));
        }
        let played = progress.finished - self.before;
        if played > 0 && progress.finished < progress.total {
            let left = (progress.total - progress.finished) as f64 / played as f64;
            parts.push(format!("{} left", text::duration(self.started.elapsed().mul_f64(left))));
        }
        parts.join(", ")
    }

    fn write(&mut self, text: &str) {
        if self.terminal {
            eprint!("{ERASE_LINE}{text}");
            // A screen that cannot be written to is nobody's loss.
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

    /// Leaves the terminal as it was.
    pub fn finish(&mut self) {
        self.erase();
    }
}
