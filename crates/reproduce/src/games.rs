//! Games between two agents, with statistics of one of them.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use shakmaty::{Color, Move, Position};
use tabia_core::play::{self, Players, Unfinished};
use tabia_core::{Agent, ChessGame, Game, Limits, Outcome, Reason, Stop};
use tabia_evolve::game::material;

use crate::context::{Interruptible, StepContext};
use crate::error::ReproduceError;

/// Plies after which a game is drawn.
const MAX_PLIES: usize = 600;

/// A finished game from one player's perspective.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Played {
    /// 1, 0.5 or 0.
    pub points: f64,
    pub plies: usize,
    pub moves: u64,
    pub time: Duration,
    /// The other side's moves, and their total time.
    pub others: (u64, Duration),
    /// Mean material balance in pawns after own moves.
    pub ahead: f64,
}

/// Plays one game from the starting position.
pub fn play(
    own: &mut dyn Agent<ChessGame>,
    other: &mut dyn Agent<ChessGame>,
    color: Color,
    stop: &Stop,
) -> Interruptible<Played> {
    let mut game = ChessGame::default();
    let mut agents = Measured { own, other, color, stop, played: Played::default(), ahead: 0 };
    let outcome = Unfinished::unless_stopped(play::play(&mut game, &mut agents))?;
    let Measured { played, ahead, .. } = agents;
    Ok(outcome.map(|outcome| Played {
        points: outcome.points(color),
        plies: game.moves().len(),
        ahead: f64::from(ahead) / played.moves.max(1) as f64,
        ..played
    }))
}

/// Two agents whose moves are timed; `own` has `color`.
struct Measured<'a> {
    own: &'a mut dyn Agent<ChessGame>,
    other: &'a mut dyn Agent<ChessGame>,
    color: Color,
    stop: &'a Stop,
    played: Played,
    /// Sum of the material balance after own moves.
    ahead: i32,
}

impl Players<ChessGame> for Measured<'_> {
    type Error = Unfinished;

    fn adjudicate(&mut self, game: &ChessGame) -> Option<Outcome> {
        (game.moves().len() >= MAX_PLIES).then_some(Outcome::draw(Reason::MoveLimit))
    }

    fn choose(&mut self, game: &ChessGame, turn: Color) -> Result<ControlFlow<Outcome, Move>, Unfinished> {
        let is_own = turn == self.color;
        let started = Instant::now();
        let agent: &mut dyn Agent<ChessGame> = if is_own { &mut *self.own } else { &mut *self.other };
        let chosen = play::ask(agent, game, &Limits::default(), self.stop)?;
        let took = started.elapsed();
        if is_own {
            self.played.moves += 1;
            self.played.time += took;
        } else {
            self.played.others.0 += 1;
            self.played.others.1 += took;
        }
        Ok(ControlFlow::Continue(chosen))
    }

    fn apply(&mut self, game: &mut ChessGame, action: Move, turn: Color) -> Result<(), Unfinished> {
        game.apply(action);
        if turn == self.color {
            self.ahead += material(game.position().board(), turn);
        }
        Ok(())
    }
}

/// Statistics of several games.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Score {
    pub games: usize,
    pub wins: usize,
    pub draws: usize,
    /// Score in percent.
    pub percent: f64,
    /// Mean length in full moves.
    pub length: f64,
    /// Mean time per move in seconds.
    pub move_seconds: f64,
    /// The other side's mean time per move in seconds.
    pub other_move_seconds: f64,
    /// Mean material balance in pawns.
    pub ahead: f64,
}

/// An agent against the random player, with alternating colours, from the starting position.
pub fn against_random(spec: &str, games: usize, work: &mut StepContext<'_>) -> Interruptible<Score> {
    let (players, stop) = (work.players, work.stop);
    let numbers: Vec<usize> = (0..games).collect();
    let played = work.each(&numbers, |number| -> Result<_, ReproduceError> {
        let mut own = players.agent(spec)?;
        own.reseed(*number as u64);
        let mut other = players.agent(&format!("random(seed={})", 1000 + number))?;
        let color = if number.is_multiple_of(2) { Color::White } else { Color::Black };
        play(&mut *own, &mut *other, color, stop)
    })?;
    Ok(played.map(|played| summed(&played)))
}

fn summed(played: &[Played]) -> Score {
    let games = played.len();
    let mean = |of: fn(&Played) -> f64| played.iter().map(of).sum::<f64>() / games.max(1) as f64;
    let seconds = |of: fn(&Played) -> (u64, Duration)| {
        let (moves, time) = played
            .iter()
            .map(of)
            .fold((0, Duration::ZERO), |(moves, time), (more, took)| (moves + more, time + took));
        time.as_secs_f64() / moves.max(1) as f64
    };
    Score {
        games,
        wins: played.iter().filter(|game| game.points > 0.75).count(),
        draws: played.iter().filter(|game| game.points > 0.25 && game.points < 0.75).count(),
        percent: 100.0 * mean(|game| game.points),
        length: mean(|game| game.plies as f64) / 2.0,
        move_seconds: seconds(|game| (game.moves, game.time)),
        other_move_seconds: seconds(|game| game.others),
        ahead: mean(|game| game.ahead),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Extent;
    use crate::testing;

    #[test]
    fn the_same_games_are_played_each_time() {
        let score = || {
            testing::work(Extent::Taste, |work| against_random("alphabeta(depth=1)", 4, work))
                .unwrap()
                .unwrap()
        };
        let (first, second) = (score(), score());
        let kept = |score: Score| (score.games, score.wins, score.draws, score.length, score.ahead);
        assert_eq!(kept(first), kept(second));
        assert!(first.percent >= 50.0, "{first:?}");
        assert!(first.move_seconds > 0.0 && first.length > 2.0, "{first:?}");
    }
}
