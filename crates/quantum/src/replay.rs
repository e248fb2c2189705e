//! A recorded game played through: every state, and what each ply measured.

use tabia_core::Game;

use crate::action::{Action, Move};
use crate::game::QuantumGame;
use crate::record::PlayError;

/// A game with all of its states.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The start, then the state after each ply.
    pub states: Vec<QuantumGame>,
    /// The plies.
    pub plies: Vec<ReplayedPly>,
}

/// A ply of a recorded game.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayedPly {
    pub m: Move,
    /// As a record has it: `d1d5-`.
    pub text: String,
    /// How likely the move was to succeed (rule 13).
    pub chance: f64,
    /// What was measured, as sentences with their probabilities.
    pub told: Vec<String>,
}

/// Why a record cannot have been played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ply {number}: {error}")]
pub struct ReplayError {
    /// The ply, from 1.
    pub number: usize,
    pub error: PlayError,
}

/// Plays a record through from its start; one that cannot have been played is refused with the ply.
///
/// ```
/// use tabia_quantum::{QuantumGame, replay};
///
/// // The knight is on d5 or on f6, and was not where the queen looked for it.
/// let start: QuantumGame = "w 1 2: 1*7k/8/5n2/8/8/8/8/3Q3K - - + 1*7k/8/8/3n4/8/8/8/3Q3K - -".parse()?;
/// let game = replay::replay(start.clone(), ["d1d5-", "f6~d7"])?;
/// assert_eq!(game.plies[0].told, ["the knight was not on d5: 50%"]);
/// assert_eq!(game.states.iter().map(|state| state.branches().len()).collect::<Vec<_>>(), [2, 1, 2]);
/// let error = replay::replay(start, ["d1d5"]).unwrap_err();
/// assert_eq!(error.to_string(), "ply 1: d1d5 measures whether it captures the knight: write d1d5+ if so, d1d5- if not");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn replay<'a>(
    start: QuantumGame,
    plies: impl IntoIterator<Item = &'a str>,
) -> Result<Replay, ReplayError> {
    let (mut states, mut played) = (vec![start.clone()], Vec::new());
    let mut game = start;
    for (at, text) in plies.into_iter().enumerate() {
        let refused = |error| ReplayError { number: at + 1, error };
        let actions = game.read_ply(text).map_err(refused)?;
        let Some(Action::Move(m)) = actions.first().copied() else { continue };
        let chance = game.success_chance(m);
        let mut told = Vec::new();
        for action in actions {
            told.extend(game.tell(action));
            game.apply(action);
        }
        played.push(ReplayedPly { m, text: text.trim().to_owned(), chance, told });
        states.push(game.clone());
    }
    Ok(Replay { states, plies: played })
}
