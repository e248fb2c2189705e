//! One game of self-play, with the score of every move.

use tabia_core::{Stop, play};
use tabia_search::player::Player;

use super::Settings;
use super::game_rules::{self, ScoredGame};
use super::task::Game;
use crate::sample::GameResult;

/// Hash size: small, because it is cleared before every game.
pub(crate) const HASH_MB: usize = 2;
/// An engine that plays both sides, and the game rules.
pub struct SelfPlay {
    pub settings: Settings,
    pub player: Box<dyn Player>,
}

impl SelfPlay {
    /// Plays the game of a seed; `None` if stopped.
    pub fn play(&mut self, seed: u64, stop: &Stop) -> Option<Game> {
        self.player.new_game();
        let Some(mut game) = game_rules::opening(&self.settings, &mut *self.player, seed, stop) else {
            return (!stop.is_stopped()).then(Game::default);
        };
        let opening = game.moves().len() as u16;
        let player = &mut self.player;
        let mut players = ScoredGame::new(&self.settings, stop, |game, _, limits| {
            player.search(game, limits, stop, &mut |_| {})
        });
        let outcome = play::play(&mut game, &mut players).ok()?;
        let scores = players.scores;
        let moves: Vec<String> = game.moves().iter().map(|m| game.write_move(*m)).collect();
        Some(Game { moves: moves.join(" "), opening, scores, result: GameResult::of(outcome.winner) })
    }
}
