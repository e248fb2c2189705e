//! Games of a match that is coordinated elsewhere: everything that decides them comes as one document.

use tabia_core::Stop;
use tabia_grid::{Executor, SharedFiles};

use super::document::{self, MatchDocument};
use super::game_runner::{ChessGameRunner, WorkerPlayers};
use super::settings::Settings;
use super::tablebases;
use crate::driver::PlayerFactory;
use crate::tournament::game_runner::GameRunner;
use crate::tournament::live::LiveGames;
use crate::tournament::schedule::Schedule;
use crate::tournament::task::{GameTask, PlayedGame};
use tabia_games::openings::Openings;

/// Plays the games of a match for its coordinator.
pub struct MatchExecutor {
    runner: ChessGameRunner,
    schedule: Schedule,
    worker_players: WorkerPlayers,
    live_games: LiveGames,
}

impl MatchExecutor {
    /// Prepares to play the games of a match; `factory` creates its players, and `syzygy` is where this machine has
    /// tablebases. Every player is started once: if one cannot be started, the match is refused and no game is lost.
    pub fn new(
        shared: &SharedFiles,
        syzygy: Option<&str>,
        factory: impl FnOnce(&Settings) -> PlayerFactory,
    ) -> Result<MatchExecutor, String> {
        let MatchDocument { settings, openings, date } = shared.document(document::NAME)?;
        let openings = Openings::of(openings)?;
        let in_words = |error: super::super::TournamentError| error.to_string();
        let rules = settings.rules_with(|paths| tablebases::open_shared(shared, syzygy, paths));
        let rules = rules.map_err(in_words)?;
        let runner =
            ChessGameRunner::new(&settings, rules, factory(&settings), &openings).map_err(in_words)?;
        let runner = runner.with_tags(document::tags(date.as_deref()));
        runner.try_players().map_err(in_words)?;
        let worker_players = runner.worker_players(0);
        Ok(MatchExecutor {
            schedule: settings.schedule(),
            runner,
            worker_players,
            live_games: LiveGames::new(1),
        })
    }
}

impl Executor<GameTask> for MatchExecutor {
    fn perform(&mut self, task: &GameTask, stop: &Stop) -> Result<Option<PlayedGame>, String> {
        if task.game >= self.schedule.len() {
            return Err(format!("the match has {} games", self.schedule.len()));
        }
        let pairing = self.schedule.pairing(task.game);
        let played = self.runner.play(&mut self.worker_players, &pairing, stop, &self.live_games.reporter(0));
        let record = played.map_err(|error| error.to_string())?;
        Ok(record.map(|record| PlayedGame { game: task.game, record }))
    }
}
