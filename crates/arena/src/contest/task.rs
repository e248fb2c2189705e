//! A game as a task: which it is, who plays it on a thread of this machine, and how it travels.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tabia_core::Stop;
use tabia_grid::{Executor, Task};

use super::journal::line::Line;
use super::live::Reporter;
use super::schedule::Schedule;
use super::table::Table;
use tabia_games::record::GameRecord;

/// A game to be played. What it is follows from the settings of its contest, which all games share.
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

/// A game that was played; it travels as a line of the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// Its number.
    pub game: usize,
    /// How it went.
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

/// Plays games at a table: one worker with its seats.
pub struct Seated<'a, T: Table> {
    /// Where.
    pub table: &'a T,
    /// Which games there are.
    pub schedule: &'a Schedule,
    /// Its players.
    pub seats: T::Seats,
    /// Where others can watch.
    pub reporter: Reporter<'a>,
}

impl<T: Table> Executor<GameTask> for Seated<'_, T>
where
    T::Seats: Send,
{
    fn perform(&mut self, task: &GameTask, stop: &Stop) -> Result<Option<PlayedGame>, String> {
        let fixture = self.schedule.fixture(task.game);
        let played = self.table.play(&mut self.seats, &fixture, stop, &self.reporter);
        self.reporter.end();
        let record = played.map_err(|error| error.to_string())?;
        Ok(record.map(|record| PlayedGame { game: task.game, record }))
    }
}
