//! The interface by which a tournament plays one game.

use tabia_core::Stop;

use super::error::TournamentError;
use super::live::GameReporter;
use super::schedule::Pairing;
use tabia_games::record::GameRecord;

/// Plays single games. All workers share one runner.
pub trait GameRunner: Sync {
    /// The running players that a worker keeps from game to game.
    type WorkerPlayers;

    /// The players of a worker, numbered from 0, before its first game.
    fn worker_players(&self, worker: usize) -> Self::WorkerPlayers;

    /// Plays a game to its end and reports its moves to `report`. A player's fault ends the game and is not an error;
    /// an error ends the tournament. `None` if `stop` was raised before the end.
    fn play(
        &self,
        worker_players: &mut Self::WorkerPlayers,
        pairing: &Pairing,
        stop: &Stop,
        report: &GameReporter<'_>,
    ) -> Result<Option<GameRecord>, TournamentError>;

    /// Verifies a game that was played on another machine. The default suits a runner whose games are all played here.
    fn check(&self, _pairing: &Pairing, _record: &GameRecord) -> Result<(), String> {
        Ok(())
    }
}
