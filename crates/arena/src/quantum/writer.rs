//! What is written beside the journal: the games in their order, the result, the report.

use std::collections::BTreeMap;

use serde::Serialize;
use tabia_games::record::GameRecord;
use tabia_games::replay;
use tabia_run::{RunDirectory, RunError, atomic_file};

use super::game_runner::{MAX_BRANCHES, MEASUREMENTS};
use super::settings::Settings;
use crate::report;
use crate::tournament::chess::MatchResult;
use crate::tournament::{Ending, Journal, Observer, Progress, Schedule, Scoreboard, TournamentError};

/// The result of a match, ready for JSON: that of any match, and what only quantum chess has.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// As for chess.
    #[serde(flatten)]
    pub result: MatchResult,
    /// How games ended, and how many so.
    pub endings: BTreeMap<String, u64>,
    /// The most branches that a game had, on average over games.
    pub mean_most_branches: f64,
    /// Measurements of a game on average.
    pub mean_measurements: f64,
    /// Where everything random came from.
    pub seed: u64,
}

impl Report {
    /// What the games counted amount to.
    pub fn new(
        settings: &Settings,
        schedule: &Schedule,
        standings: &report::Standings,
        ending: Ending,
        run: Option<String>,
        journal: &mut Journal,
    ) -> Result<Report, TournamentError> {
        let result = MatchResult::of(&settings.player_infos(), schedule, standings, ending, run);
        let mut sums = [0.0; 2];
        for game in 0..result.games_played as usize {
            let record = counted(game, journal)?;
            for (sum, tag) in sums.iter_mut().zip([MAX_BRANCHES, MEASUREMENTS]) {
                *sum += record.tag(tag).and_then(|value| value.parse::<f64>().ok()).unwrap_or_default();
            }
        }
        let games = result.games_played.max(1) as f64;
        let endings = standings.games.endings.iter();
        Ok(Report {
            endings: endings.map(|(reason, results)| (reason.clone(), results.iter().sum())).collect(),
            mean_most_branches: sums[0] / games,
            mean_measurements: sums[1] / games,
            seed: settings.seed,
            result,
        })
    }
}

/// Writes down what there is, and passes on the news.
pub struct MatchWriter<'a> {
    settings: &'a Settings,
    schedule: &'a Schedule,
    directory: Option<&'a RunDirectory>,
    show: &'a mut dyn FnMut(&Progress<'_>),
}

impl<'a> MatchWriter<'a> {
    /// For a match, kept in a directory or nowhere; progress is shown by `show`.
    pub fn new(
        settings: &'a Settings,
        schedule: &'a Schedule,
        directory: Option<&'a RunDirectory>,
        show: &'a mut dyn FnMut(&Progress<'_>),
    ) -> MatchWriter<'a> {
        MatchWriter { settings, schedule, directory, show }
    }
}

impl Observer for MatchWriter<'_> {
    fn progress(&mut self, progress: &Progress<'_>) {
        (self.show)(progress);
    }

    fn checkpoint(&mut self, scoreboard: &Scoreboard, journal: &mut Journal) -> Result<(), TournamentError> {
        let Some(directory) = self.directory else { return Ok(()) };
        let ending = if scoreboard.is_decided() {
            Ending::Decided
        } else if scoreboard.games() == self.schedule.len() {
            Ending::Complete
        } else {
            Ending::Interrupted
        };
        write_games(directory, scoreboard.games(), journal)?;
        // The same bytes wherever the run is kept.
        let run = Some(".".to_owned());
        let standings = self.settings.standings(scoreboard)?;
        let report = Report::new(self.settings, self.schedule, &standings, ending, run, journal)?;
        let mut text = serde_json::to_string_pretty(&report).map_err(unwritable(0))?;
        text.push('\n');
        directory.write("result.json", text.as_bytes())?;
        directory.write("report.html", report::page(&standings).as_bytes())?;
        Ok(())
    }
}

/// The games counted, in their order: a replay a line.
fn write_games(directory: &RunDirectory, games: usize, journal: &mut Journal) -> Result<(), TournamentError> {
    let mut lines = Vec::new();
    for game in 0..games {
        let replay = replay::write(&counted(game, journal)?);
        // Written for people, and here on one line.
        let value: serde_json::Value = serde_json::from_str(&replay).map_err(unwritable(game))?;
        serde_json::to_writer(&mut lines, &value).map_err(unwritable(game))?;
        lines.push(b'\n');
    }
    let path = directory.file("replays.jsonl");
    Ok(atomic_file::write_bytes(&path, &lines).map_err(RunError::file("write", path))?)
}

fn counted(game: usize, journal: &mut Journal) -> Result<GameRecord, TournamentError> {
    let missing =
        || TournamentError::Unwritable { game: game + 1, why: "it is not in the journal".to_owned() };
    journal.read(game)?.ok_or_else(missing)
}

fn unwritable(game: usize) -> impl Fn(serde_json::Error) -> TournamentError {
    move |error| TournamentError::Unwritable { game: game + 1, why: error.to_string() }
}
