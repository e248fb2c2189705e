//! A whole match: settings, game runner, run directory, and the files written at the end.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tabia_core::Stop;
use tabia_grid::{Grid, SharedFiles};

use super::document::{self, tags};
use super::game_runner::{ChessGameRunner, processors};
use super::live::Live;
use super::openings::fingerprint;
use super::result::MatchResult;
use super::settings::Settings;
use crate::driver::PlayerFactory;
use crate::report;
use crate::tournament::error::TournamentError;
use crate::tournament::journal::Journal;
use crate::tournament::runner::{Ending, Observer, Progress, Tournament};
use crate::tournament::schedule::Schedule;
use crate::tournament::scoreboard::Scoreboard;
use crate::tournament::task::GameTask;
use tabia_games::openings::Openings;
use tabia_games::pgn;
use tabia_run::{Manifest, RunDirectory, RunError, atomic_file};

/// The kind of a match in the manifest of its run.
pub const KIND: &str = "match";

/// Version of the program and date of a match.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The version of the program.
    pub version: String,
    /// The date in PGN format; only games with a clock have one.
    pub date: Option<String>,
}

/// A match that can be played.
pub struct ChessMatch {
    settings: Settings,
    schedule: Schedule,
    runner: ChessGameRunner,
    /// The document for workers.
    document: Vec<u8>,
    directory: Option<RunDirectory>,
    journal: Journal,
    pgn_file: Option<PathBuf>,
}

/// The result of a match.
#[derive(Clone, Debug)]
pub struct FinishedMatch {
    pub result: MatchResult,
    /// For tables and plots.
    pub standings: report::Standings,
}

/// How many games are played at once on this machine.
#[derive(Copy, Clone, Debug)]
pub struct Concurrency {
    /// Games at the same time.
    pub workers: usize,
    /// Whether each worker is pinned to a processor of its own.
    pub pinned: bool,
}

impl ChessMatch {
    /// A match in memory, or in a new run directory.
    pub fn new(
        settings: Settings,
        factory: PlayerFactory,
        openings: &Openings,
        run: Option<&Path>,
        origin: &Origin,
    ) -> Result<ChessMatch, TournamentError> {
        settings.check()?;
        let date = origin.date.clone().filter(|_| settings.is_timed());
        let runner = ChessGameRunner::new(&settings, settings.rules()?, factory, openings)?
            .with_tags(tags(date.as_deref()));
        if run.is_some() {
            // No directory is created for a match that cannot be played.
            runner.try_players()?;
        }
        let document = document::to_bytes(&settings, openings, date.as_deref());
        let manifest = Manifest::new(KIND, &origin.version, date, &settings)?;
        let (directory, journal) = match run {
            None => (None, Journal::in_memory()),
            Some(path) => {
                let (directory, journal) = Journal::start(path, &manifest)?;
                (Some(directory), journal)
            }
        };
        let schedule = settings.schedule();
        Ok(ChessMatch { settings, schedule, runner, document, directory, journal, pgn_file: None })
    }

    /// Resumes the match in a run directory, which must have been started by the same version.
    pub fn resume(
        directory: RunDirectory,
        manifest: &Manifest,
        settings: Settings,
        factory: PlayerFactory,
        openings: &Openings,
        origin: &Origin,
    ) -> Result<ChessMatch, TournamentError> {
        let mut now = settings.clone();
        now.openings.count = openings.len();
        now.openings.sha256 = fingerprint(openings);
        let now = Manifest::new(KIND, &origin.version, None, &now)?;
        if let Some(differences) = manifest.differences(&now) {
            return Err(RunError::Different { path: directory.path().to_owned(), differences }.into());
        }
        settings.check()?;
        let runner = ChessGameRunner::new(&settings, settings.rules()?, factory, openings)?
            .with_tags(tags(manifest.date.as_deref()));
        let journal = Journal::resume(&directory)?;
        let schedule = settings.schedule();
        let document = document::to_bytes(&settings, openings, manifest.date.as_deref());
        let directory = Some(directory);
        Ok(ChessMatch { settings, schedule, runner, document, directory, journal, pgn_file: None })
    }

    /// Also writes the games to this file.
    #[must_use]
    pub fn with_pgn(mut self, file: Option<PathBuf>) -> ChessMatch {
        self.pgn_file = file;
        self
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Games that were played before this match was resumed.
    pub fn already_played(&self) -> usize {
        self.journal.len()
    }

    /// Bytes of an unfinished line that was dropped from the journal.
    pub fn dropped_bytes(&self) -> usize {
        self.journal.dropped()
    }

    /// Starts every player once, to find out whether it can be started.
    pub fn try_players(&self) -> Result<(), TournamentError> {
        self.runner.try_players()
    }

    /// Its run directory, if it has one.
    pub fn path(&self) -> Option<&Path> {
        self.directory.as_ref().map(RunDirectory::path)
    }

    /// The files that workers need, besides those that agents name.
    pub fn shared(&self) -> SharedFiles {
        SharedFiles::default().with(document::NAME, self.document.clone())
    }

    /// Plays the remaining games, on this machine or a grid, and writes the files of the run.
    pub fn play(
        self,
        concurrency: Concurrency,
        grid: Option<&dyn Grid<GameTask>>,
        stop: &Stop,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<FinishedMatch, TournamentError> {
        let ChessMatch { settings, schedule, runner, directory, mut journal, pgn_file, .. } = self;
        let runner = if concurrency.pinned { runner.pinned(processors()) } else { runner };
        let sprt = settings.sequential_test()?;
        let mut scoreboard = Scoreboard::new(&schedule, settings.agents.len(), sprt);
        let tournament =
            Tournament { runner: &runner, schedule: &schedule, workers: concurrency.workers, grid, stop };
        let mut writer = MatchWriter {
            settings: &settings,
            schedule: &schedule,
            directory: directory.as_ref(),
            live: directory
                .as_ref()
                .map(|directory| Live::new(directory.path(), &settings, &schedule, journal.len())),
            pgn_file,
            progress,
        };
        let ending = tournament.play(&mut journal, &mut scoreboard, &mut writer)?;
        if let Some(live) = &mut writer.live {
            live.end(&scoreboard);
        }
        let run = directory.map(|directory| directory.path().display().to_string());
        let standings = settings.standings(&scoreboard)?;
        let result = MatchResult::new(&settings, &schedule, &standings, ending, run);
        Ok(FinishedMatch { result, standings })
    }
}

/// Writes the files of a run directory, and reports progress.
struct MatchWriter<'a> {
    settings: &'a Settings,
    schedule: &'a Schedule,
    directory: Option<&'a RunDirectory>,
    live: Option<Live<'a>>,
    pgn_file: Option<PathBuf>,
    progress: &'a mut dyn FnMut(&Progress<'_>),
}

impl Observer for MatchWriter<'_> {
    fn progress(&mut self, progress: &Progress<'_>) {
        if let Some(live) = &mut self.live {
            live.tell(progress);
        }
        (self.progress)(progress);
    }

    fn checkpoint(&mut self, scoreboard: &Scoreboard, journal: &mut Journal) -> Result<(), TournamentError> {
        if let Some(path) = &self.pgn_file {
            write_games(path, scoreboard, journal)?;
        }
        let Some(directory) = self.directory else { return Ok(()) };
        write_games(&directory.file("games.pgn"), scoreboard, journal)?;
        let ending = Ending::of(scoreboard, self.schedule);
        // The same bytes wherever the run is kept.
        let run = Some(".".to_owned());
        let standings = self.settings.standings(scoreboard)?;
        let result = MatchResult::new(self.settings, self.schedule, &standings, ending, run);
        let mut text = serde_json::to_string_pretty(&result)
            .map_err(|error| TournamentError::Settings(error.to_string()))?;
        text.push('\n');
        directory.write("result.json", text.as_bytes())?;
        directory.write("report.html", report::page(&standings).as_bytes())?;
        Ok(())
    }
}

/// Writes the counted games in order, atomically.
fn write_games(path: &Path, scoreboard: &Scoreboard, journal: &mut Journal) -> Result<(), TournamentError> {
    let mut failure = None;
    let written = atomic_file::write(path, |file| {
        for game in 0..scoreboard.games() {
            match game_text(game, journal) {
                Ok(text) => file.write_all(text.as_bytes())?,
                Err(error) => {
                    failure = Some(error);
                    return Err(io::Error::other("a game cannot be written"));
                }
            }
        }
        Ok(())
    });
    match (failure, written) {
        (Some(error), _) => Err(error),
        (None, written) => Ok(written.map_err(RunError::file("write", path))?),
    }
}

fn game_text(game: usize, journal: &mut Journal) -> Result<String, TournamentError> {
    let unwritable = |why: String| TournamentError::Unwritable { game: game + 1, why };
    let record = journal.read(game)?.ok_or_else(|| unwritable("it is not in the journal".to_owned()))?;
    pgn::write(&record).map_err(|error| unwritable(error.to_string()))
}
