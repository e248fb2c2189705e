//! The interface of a game, used by agents, searches and the arena.
//!
//! Chance is explicit: a game with dice or measurements returns [`Turn::Chance`] and lists the possible results with their
//! probabilities. `apply` is deterministic; randomness is in the action, so a game replays exactly from its actions.

use crate::outcome::Outcome;
use shakmaty::Color;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// This side chooses among [`Game::actions`].
    Player(Color),
    /// Chance chooses among [`Game::chances`].
    Chance,
    /// The game is over.
    Over(Outcome),
}

/// A two-player game with perfect information, possibly with chance.
pub trait Game: Clone + Send {
    /// A move, or the result of a chance event.
    type Action: Copy + Eq + Send + std::fmt::Debug;

    fn turn(&self) -> Turn;

    /// Replaces `out` by the legal actions; empty unless it is a player's turn.
    fn actions(&self, out: &mut Vec<Self::Action>);

    /// Replaces `out` by the chance events with probabilities that sum to one; empty unless it is a chance turn.
    fn chances(&self, out: &mut Vec<(Self::Action, f64)>) {
        out.clear();
    }

    /// Plays an action that [`Game::actions`] or [`Game::chances`] listed.
    fn apply(&mut self, action: Self::Action);

    /// A hash of everything that the rest of the game depends on, except repetition and move counters.
    fn key(&self) -> u64;
}
