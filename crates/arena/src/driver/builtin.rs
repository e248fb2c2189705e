//! A built-in agent as a player. A panic counts as a crash of the player, not of the match.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use shakmaty::{Move, Position};
use tabia_core::{Agent, AgentError, Bound, ChessGame, Limits, SearchInfo, Stop};

use super::watchdog::Watchdog;
use super::{Fault, FaultKind, NoMove, Player, PlayerMove, Timeouts};

/// An agent in this process.
pub struct BuiltinPlayer {
    agent: Box<dyn Agent<ChessGame>>,
    watchdog: Watchdog,
}

impl BuiltinPlayer {
    /// A player from an agent.
    pub fn new(agent: Box<dyn Agent<ChessGame>>) -> BuiltinPlayer {
        BuiltinPlayer { agent, watchdog: Watchdog::new() }
    }
}

impl Player for BuiltinPlayer {
    fn new_game(&mut self, _game: &ChessGame, seed: u64) -> Result<(), Fault> {
        self.agent.new_game();
        self.agent.reseed(seed);
        Ok(())
    }

    fn choose(
        &mut self,
        game: &ChessGame,
        limits: &Limits,
        timeouts: &Timeouts,
        stop: &Stop,
    ) -> Result<PlayerMove, NoMove> {
        let mut best: Option<SearchInfo<Move>> = None;
        let mut hear = |info: &SearchInfo<Move>| {
            let known = best.as_ref().is_some_and(|best| best.bound == Bound::Exact);
            if info.rank == 1 && (info.bound == Bound::Exact || !known) {
                best = Some(info.clone());
            }
        };
        let start = Instant::now();
        let deadline = timeouts.answer.map(|answer| start + answer);
        let flag = self.watchdog.watch(deadline, stop);
        // A player that crashed is created anew before its next game, so no half-updated state is reused.
        let chosen = catch_unwind(AssertUnwindSafe(|| self.agent.choose(game, limits, &flag, &mut hear)))
            .unwrap_or_else(|panic| Err(AgentError::of_panic(&*panic)));
        let elapsed = start.elapsed();
        self.watchdog.rest();
        if stop.is_stopped() {
            return Err(NoMove::Interrupted);
        }
        if timeouts.grace.is_zero() && timeouts.answer.is_some_and(|answer| elapsed >= answer) {
            let time = timeouts.answer.unwrap_or_default();
            let text = format!("no answer within {:.1} s", time.as_secs_f64());
            return Err(Fault::new(FaultKind::Timeout, text).into());
        }
        let choice = chosen.map_err(|error| {
            let kind = match error {
                AgentError::Resigned => return NoMove::Resigned,
                AgentError::Failed(_) => FaultKind::Crash,
                AgentError::GameOver | AgentError::NoSearchMoves => FaultKind::IllegalMove,
            };
            NoMove::Fault(Fault::new(kind, error.to_string()))
        })?;
        if !game.position().is_legal(choice) {
            let text = format!("\"{}\" is not legal in {}", game.write_move(choice), game.fen());
            return Err(Fault::new(FaultKind::IllegalMove, text).into());
        }
        Ok(PlayerMove {
            choice,
            elapsed,
            score: best.as_ref().map(|info| info.score),
            depth: best.as_ref().map(|info| info.depth),
            nodes: best.as_ref().map(|info| info.nodes),
        })
    }
}
