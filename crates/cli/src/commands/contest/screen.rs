//! A match in progress, for a person: a line that changes on a terminal, a few lines anywhere else.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use tabia_arena::contest::Progress;
use tabia_core::{Outcome, Reason};

use crate::terminal::ERASE_LINE;

/// How often a terminal is written to, and anything else.
const ON_A_TERMINAL: Duration = Duration::from_millis(200);
const ELSEWHERE: Duration = Duration::from_secs(30);
/// How many faults are told one by one.
const FAULTS_TOLD: usize = 10;
const HOUR: u64 = 3600;
const MINUTE: u64 = 60;

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

/// A match that is about to be played, in whatever game.
pub struct Begun {
    /// Who plays; the first is the one whose view is taken.
    pub names: Vec<String>,
    /// Games of the schedule.
    pub games: usize,
    /// Games that were played before.
    pub before: usize,
    /// Bytes of an unfinished line that was dropped from the journal.
    pub dropped_bytes: usize,
    /// Games at the same time.
    pub workers: usize,
}

impl Screen {
    /// Says what is about to be played.
    pub fn new(begun: &Begun) -> Screen {
        let Begun { names, games, before, dropped_bytes, workers } = begun;
        let terminal = io::stderr().is_terminal();
        eprintln!("{}: {games} games, {workers} at a time", names.join(" against "));
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
            parts.push(format!("{} left", duration(self.started.elapsed().mul_f64(left))));
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

fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..MINUTE => format!("{seconds} s"),
        MINUTE..HOUR => format!("{}:{:02} min", seconds / MINUTE, seconds % MINUTE),
        _ => format!("{} h {:02} min", seconds / HOUR, seconds % HOUR / MINUTE),
    }
}
