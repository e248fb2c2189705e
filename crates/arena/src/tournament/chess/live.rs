//! `live.json`: the state of a match in progress, for live displays.
//!
//! It has the games in progress with their moves, the result so far, and the LLR curve of the SPRT. It is replaced
//! atomically a few times a second if something changed. Unlike everything else in the run directory it need not survive a
//! power cut, so it is not synced to disk. It stays after the end, without games, for the curve.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use shakmaty::Color;
use tabia_core::Score;

use super::result::MatchResult;
use super::settings::Settings;
use crate::tournament::live::GameInProgress;
use crate::tournament::runner::{Ending, Progress};
use crate::tournament::schedule::Schedule;
use crate::tournament::scoreboard::Scoreboard;
use tabia_stats::CurvePoint;

pub const FILE: &str = "live.json";
/// Shortest intervals between writes of the file, and between updates of the result in it.
const PAUSE: Duration = Duration::from_millis(250);
const RESULT_PAUSE: Duration = Duration::from_secs(1);

#[derive(Serialize)]
struct Document<'a> {
    /// Games finished, counted or not.
    finished: usize,
    /// Games of the schedule.
    total: usize,
    /// Estimated time left; none with an SPRT.
    left_ms: Option<u64>,
    games: Vec<LiveGame<'a>>,
    /// Result of the games counted.
    result: Option<&'a MatchResult>,
    /// LLR curve of the SPRT.
    llr: &'a [CurvePoint],
}

/// A game being played.
#[derive(Serialize)]
struct LiveGame<'a> {
    game: usize,
    white: &'a str,
    black: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<&'a str>,
    moves: String,
    /// The last mover's score, from White's side.
    #[serde(skip_serializing_if = "Option::is_none")]
    score_cp: Option<i32>,
    /// The same for a mate, in full moves; positive if White mates.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clocks_ms: Option<[u64; 2]>,
}

impl<'a> LiveGame<'a> {
    fn new(game: &'a GameInProgress, settings: &'a Settings) -> LiveGame<'a> {
        let begins = match game.start.as_deref().and_then(|fen| fen.split(' ').nth(1)) {
            Some("b") => Color::Black,
            _ => Color::White,
        };
        let last = if game.moves.len().is_multiple_of(2) { begins.other() } else { begins };
        let sign = last.fold_wb(1, -1);
        let mate = game.score.and_then(Score::moves_to_mate);
        LiveGame {
            game: game.pairing.game,
            white: &settings.agents[game.pairing.white].name,
            black: &settings.agents[game.pairing.black].name,
            start: game.start.as_deref(),
            moves: game.moves.join(" "),
            score_cp: game.score.filter(|_| mate.is_none()).map(|score| sign * score.raw()),
            mate: mate.map(|moves| sign * moves),
            clocks_ms: game.clocks_ms,
        }
    }
}

pub struct Live<'a> {
    path: PathBuf,
    settings: &'a Settings,
    schedule: &'a Schedule,
    began: Instant,
    /// Games that were there before this process began.
    before: usize,
    written: Option<Instant>,
    /// What was last seen.
    finished: usize,
    games: Vec<GameInProgress>,
    counted: Option<Counted>,
}

/// The result and when it was computed.
struct Counted {
    at: Instant,
    games: usize,
    result: MatchResult,
    llr: Vec<CurvePoint>,
}

impl<'a> Live<'a> {
    /// For a run directory; `before` games are finished already.
    pub fn new(directory: &Path, settings: &'a Settings, schedule: &'a Schedule, before: usize) -> Live<'a> {
        Live {
            path: directory.join(FILE),
            settings,
            schedule,
            began: Instant::now(),
            before,
            written: None,
            finished: before,
            games: Vec::new(),
            counted: None,
        }
    }

    /// Writes the file if its interval has passed and something is new.
    pub fn tell(&mut self, progress: &Progress<'_>) {
        if self.written.is_some_and(|written| written.elapsed() < PAUSE) {
            return;
        }
        let games = progress.games_in_progress();
        if self.written.is_some() && self.finished == progress.finished && self.games == games {
            return;
        }
        let played = progress.finished.saturating_sub(self.before) as u32;
        let left = (progress.total - progress.finished) as u32;
        let left_ms = (played > 0 && self.settings.sprt.is_none())
            .then(|| (self.began.elapsed() * left / played).as_millis() as u64);
        self.count(progress.scoreboard, false);
        self.finished = progress.finished;
        self.games = games;
        self.write(left_ms);
        self.written = Some(Instant::now());
    }

    /// Writes the file after the last game.
    pub fn end(&mut self, scoreboard: &Scoreboard) {
        self.count(scoreboard, true);
        self.finished = scoreboard.games();
        self.games.clear();
        self.write(None);
    }

    /// Updates the result, if games were counted and its interval has passed.
    fn count(&mut self, scoreboard: &Scoreboard, now: bool) {
        let is_known = self.counted.as_ref().is_some_and(|counted| {
            counted.games == scoreboard.games() || (!now && counted.at.elapsed() < RESULT_PAUSE)
        });
        if is_known {
            return;
        }
        let Ok(standings) = self.settings.standings(scoreboard) else { return };
        let ending = Ending::of(scoreboard, self.schedule);
        self.counted = Some(Counted {
            at: Instant::now(),
            games: scoreboard.games(),
            result: MatchResult::new(self.settings, self.schedule, &standings, ending, None),
            llr: standings.sprt.map(|sprt| sprt.curve).unwrap_or_default(),
        });
    }

    fn write(&self, left_ms: Option<u64>) {
        let document = Document {
            finished: self.finished,
            total: self.schedule.len(),
            left_ms,
            games: self.games.iter().map(|game| LiveGame::new(game, self.settings)).collect(),
            result: self.counted.as_ref().map(|counted| &counted.result),
            llr: self.counted.as_ref().map_or(&[], |counted| &counted.llr),
        };
        let temporary = self.path.with_extension("json.tmp");
        // A failed write affects only live displays; the match goes on.
        let _ = serde_json::to_vec(&document)
            .map_err(std::io::Error::from)
            .and_then(|bytes| fs::write(&temporary, bytes))
            .and_then(|()| fs::rename(&temporary, &self.path));
    }
}
