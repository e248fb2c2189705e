//! A game of self-play as it travels: its moves, what was measured, and what the search thought. All else follows from them.

use serde::{Deserialize, Serialize};
use tabia_core::{Game, Turn};
use tabia_quantum::{Action, QuantumGame};

use super::Hall;
use super::story::Story;
use crate::settings::Knobs;
use crate::shard::Played;

/// What the shares of all moves sum to, but for rounding.
const WHOLE: u32 = 65_535;

/// A game that somebody else played.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Transcript {
    /// Its number in its generation.
    pub game: u32,
    /// Its plies after the opening, which follows from the number.
    pub plies: Vec<Ply>,
}

/// One ply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ply {
    /// The move with what was measured, as records write it.
    pub ply: String,
    /// What the search thought its mover's chances were, from -1 to 1.
    pub thought: f64,
    /// The share of every legal move, in the order of the rules, in 65535ths; none where the search was too short to be learned from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<u16>,
}

impl Transcript {
    /// How the game of a number begins where the luck of all comes from nought, and what can be done there.
    pub(crate) fn opening(number: u32, knobs: &Knobs) -> (QuantumGame, Vec<Action>) {
        let (_, game, _) = Story::begin(number, 0, knobs);
        let mut actions = Vec::new();
        game.actions(&mut actions);
        (game, actions)
    }

    /// Of a game that was just played.
    pub fn new(game: &Played) -> Transcript {
        let shares = game.samples.iter().map(|sample| sample.moves.iter().map(|(_, share)| *share).collect());
        let told = game.told.iter().cloned();
        let plies = told.zip(shares).map(|((ply, thought), shares)| Ply { ply, thought, shares });
        Transcript { game: game.number, plies: plies.collect() }
    }

    /// The game as it is learned from, replayed; or why it cannot have gone so.
    pub fn replay(&self, hall: &Hall<'_>) -> Result<Played, String> {
        let (mut story, mut game, _) = Story::begin(self.game, hall.seed, hall.knobs);
        let mut outcome = None;
        let mut actions = Vec::new();
        for (at, Ply { ply, thought, shares }) in self.plies.iter().enumerate() {
            let wrong = |why: &str| format!("game {}, ply {} ({ply}): {why}", self.game, at + 1);
            if outcome.is_some() || matches!(game.turn(), Turn::Over(_)) {
                return Err(wrong("the game was over before it"));
            }
            if !(-1.0..=1.0).contains(thought) {
                return Err(wrong("what the search thought is no chance"));
            }
            game.actions(&mut actions);
            let sum: u32 = shares.iter().copied().map(u32::from).sum();
            let rounded = sum == 0 || sum.abs_diff(WHOLE) as usize <= shares.len();
            let is_whole = shares.len() == actions.len() && rounded;
            if !shares.is_empty() && !is_whole {
                return Err(wrong("the shares are not those of its legal moves"));
            }
            let squares = ply.trim_end_matches(['+', '-']);
            let chosen = game.read_move(squares).map_err(|error| wrong(&error.to_string()))?;
            let shares = actions.iter().copied().zip(shares.iter().copied());
            outcome = story.choose(&game, chosen, shares, *thought, hall.knobs.resign_below);
            game.play_text(ply).map_err(|error| wrong(&error.to_string()))?;
            story.write(ply.clone());
        }
        if let Turn::Over(over) = game.turn() {
            outcome = Some(over);
        }
        if outcome.is_none() {
            return Err(format!("game {} is not over after its {} plies", self.game, self.plies.len()));
        }
        Ok(story.end(&game, outcome, hall.knobs.thought_share))
    }
}
