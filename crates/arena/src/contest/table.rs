//! Where games are played: the one thing a contest does not know how to do.

use tabia_core::Stop;

use super::error::ContestError;
use super::live::Reporter;
use super::schedule::Fixture;
use tabia_games::record::GameRecord;

/// Plays single games. One table serves all workers at once.
pub trait Table: Sync {
    /// What a worker keeps from game to game: its players, running.
    type Seats;

    /// The seats of a worker, counted from 0, before its first game.
    fn seats(&self, worker: usize) -> Self::Seats;

    /// Plays a game to its end, telling `report` of its moves. A player's fault is the end of a game, not an
    /// error: errors end the contest. None when `stop` was raised before the end.
    fn play(
        &self,
        seats: &mut Self::Seats,
        fixture: &Fixture,
        stop: &Stop,
        report: &Reporter<'_>,
    ) -> Result<Option<GameRecord>, ContestError>;

    /// What is wrong with a game that was played elsewhere, if anything is. A table whose games are all played here has none to
    /// look at.
    fn check(&self, _fixture: &Fixture, _record: &GameRecord) -> Result<(), String> {
        Ok(())
    }
}
