//! A game as a grid task: its number, its executor on a thread of this machine, and its serialised result.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tabia_core::Stop;
use tabia_grid::{Executor, Task};

use super::game_runner::GameRunner;
use super::journal::line::Line;
use super::live::GameReporter;
use super::schedule::Schedule;
use tabia_games::record::GameRecord;

/// A game to be played; the settings of the tournament, which all games share, decide the rest.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameTask {
    /// Its number in the schedule, from 0.
    pub game: usize,
}

impl GameTask {
    /// The task that [`Task::id`] gives this id.
    pub(super) fn of_id(id: &str) -> Option<GameTask> {
        let number: usize = id.strip_prefix("game ")?.parse().ok()?;
        number.checked_sub(1).map(|game| GameTask { game })
    }
}

impl Task for GameTask {
    type Done = PlayedGame;
    const KIND: &'static str = "match";

    fn id(&self) -> String {
        format!("game {}", self.game + 1)
    }
}

/// A finished game, serialised as a line of the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// Its number in the schedule, from 0.
    pub game: usize,
    /// Its moves and outcome.
    pub record: GameRecord,
}

impl Serialize for PlayedGame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Line::new(self.game, &self.record).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for PlayedGame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PlayedGame, D::Error> {
        let line = Line::deserialize(deserializer)?;
        let game = line.game;
        let record = line.record().map_err(serde::de::Error::custom)?;
        Ok(PlayedGame { game, record })
    }
}

/// Plays games on a thread of this machine: one worker with its players.
pub struct LocalExecutor<'a, T: GameRunner> {
    /// Plays single games.
    pub runner: &'a T,
    /// All games of the tournament.
    pub schedule: &'a Schedule,
    /// The running players of this worker.
    pub worker_players: T::WorkerPlayers,
    /// Updates the live display.
    pub reporter: GameReporter<'a>,
}

impl<T: GameRunner> Executor<GameTask> for LocalExecutor<'_, T>
where
    T::WorkerPlayers: Send,
{
    fn perform(&mut self, task: &GameTask, stop: &Stop) -> Result<Option<PlayedGame>, String> {
        let pairing = self.schedule.pairing(task.game);
        let played = self.runner.play(&mut self.worker_players, &pairing, stop, &self.reporter);
        self.reporter.end();
        let record = played.map_err(|error| error.to_string())?;
        Ok(record.map(|record| PlayedGame { game: task.game, record }))
    }
}
