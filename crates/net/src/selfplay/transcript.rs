//! A game of self-play as sent by a worker: moves with measurement results, search values and policies. The rest is derived by
//! replaying it.

use serde::{Deserialize, Serialize};
use tabia_core::{Game, Turn};
use tabia_mcts::Estimate;
use tabia_quantum::{Action, QuantumGame};

use super::SelfPlay;
use super::recorder::GameRecorder;
use crate::settings::Hyperparameters;
use crate::shard::{PlayedGame, PlyRecord};

/// What the probabilities of all moves sum to, up to rounding.
const PROBABILITY_SUM: u32 = 65_535;
/// Tolerance for the sum of a value and a draw probability.
const ROUNDING: f64 = 1e-9;

/// A game played by a worker.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Transcript {
    /// Number within its generation.
    pub game: u32,
    /// Plies after the opening, which is derived from the number.
    pub plies: Vec<Ply>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ply {
    /// Notation of the move with measurement results.
    pub ply: String,
    /// The search's value for the side to move, from -1 to 1.
    #[serde(rename = "thought")]
    pub value: f64,
    /// The search's probability of a draw.
    #[serde(default)]
    pub draw: f64,
    /// Policy target: the probability of every legal move in generation order, in 1/65535; empty after a quick search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<u16>,
}

impl Transcript {
    /// Starting position with seed 0 of the game with this number, and its legal actions.
    pub(crate) fn opening(number: u32, hyper: &Hyperparameters) -> (QuantumGame, Vec<Action>) {
        let (_, game, _) = GameRecorder::start(number, 0, hyper);
        let mut actions = Vec::new();
        game.actions(&mut actions);
        (game, actions)
    }

    /// The transcript of a game played by this process.
    pub fn new(game: &PlayedGame) -> Transcript {
        let shares = game.samples.iter().map(|sample| sample.moves.iter().map(|(_, share)| *share).collect());
        let ply = |(ply, shares): (&PlyRecord, Vec<u16>)| {
            let Estimate { value, draw } = ply.estimate;
            Ply { ply: ply.text.clone(), value, draw, shares }
        };
        let plies = game.transcript.iter().zip(shares).map(ply);
        Transcript { game: game.number, plies: plies.collect() }
    }

    /// Replays the game; the error says why it cannot have been played.
    pub fn replay(&self, settings: &SelfPlay<'_>) -> Result<PlayedGame, String> {
        let (mut recorder, mut game, _) = GameRecorder::start(self.game, settings.seed, settings.hyper);
        let mut outcome = None;
        let mut actions = Vec::new();
        for (at, Ply { ply, value, draw, shares }) in self.plies.iter().enumerate() {
            let wrong = |why: &str| format!("game {}, ply {} ({ply}): {why}", self.game, at + 1);
            if outcome.is_some() || matches!(game.turn(), Turn::Over(_)) {
                return Err(wrong("the game was over before this ply"));
            }
            if !(-1.0..=1.0).contains(value) {
                return Err(wrong("the search's value is not between -1 and 1"));
            }
            if !(0.0..=1.0).contains(draw) || value.abs() + draw > 1.0 + ROUNDING {
                return Err(wrong("the search's probability of a draw does not go with its value"));
            }
            let estimate = Estimate { value: *value, draw: *draw };
            game.actions(&mut actions);
            let sum: u32 = shares.iter().copied().map(u32::from).sum();
            let rounded = sum == 0 || sum.abs_diff(PROBABILITY_SUM) as usize <= shares.len();
            let is_complete = shares.len() == actions.len() && rounded;
            if !shares.is_empty() && !is_complete {
                return Err(wrong("the shares do not belong to the legal moves"));
            }
            let squares = ply.trim_end_matches(['+', '-']);
            let chosen = game.read_move(squares).map_err(|error| wrong(&error.to_string()))?;
            let shares = actions.iter().copied().zip(shares.iter().copied());
            outcome = recorder.choose(&game, chosen, shares, estimate, settings.hyper.resign_below);
            game.play_text(ply).map_err(|error| wrong(&error.to_string()))?;
            recorder.write(ply.clone());
        }
        if let Turn::Over(over) = game.turn() {
            outcome = Some(over);
        }
        if outcome.is_none() {
            return Err(format!("game {} is not over after {} plies", self.game, self.plies.len()));
        }
        Ok(recorder.finish(&game, outcome, settings.hyper.thought_share))
    }
}
