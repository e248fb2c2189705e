//! One game of self-play, with the score of every move.

use tabia_core::{Game as _, Limits, Outcome, Reason, Stop, Turn};
use tabia_search::player::Player;

use super::Settings;
use super::game_rules::{self, Adjudicator};
use super::task::Game;
use crate::sample::GameResult;

/// The engine's table: small, for it is cleared before every game.
pub(crate) const HASH_MB: usize = 2;
/// A board, an engine on both sides of it, and the rules of the house.
pub struct SelfPlay {
    pub settings: Settings,
    pub player: Box<dyn Player>,
}

impl SelfPlay {
    /// Plays the game of a seed; none if stopped before its end.
    pub fn play(&mut self, seed: u64, stop: &Stop) -> Option<Game> {
        self.player.new_game();
        let Some(mut game) = game_rules::opening(&self.settings, &mut *self.player, seed, stop) else {
            return (!stop.is_stopped()).then(Game::default);
        };
        let opening = game.moves().len() as u16;
        let mut scores = Vec::new();
        let mut adjudicator = Adjudicator::default();
        let outcome = loop {
            if let Turn::Over(outcome) = game.turn() {
                break outcome;
            }
            let ply = game.moves().len() as u32;
            if ply >= self.settings.longest {
                break Outcome::draw(Reason::MoveLimit);
            }
            let limits = Limits::nodes(self.settings.nodes);
            // The game is not over, so there is a move.
            let found = self.player.search(&game, &limits, stop, &mut |_| {}).ok()?;
            if stop.is_stopped() {
                return None;
            }
            let score = game.side_to_move().fold_wb(found.score, -found.score);
            if let Some(outcome) = adjudicator.update(&self.settings, score, ply) {
                break outcome;
            }
            // A score fits 16 bits.
            scores.push(score.raw() as i16);
            game.apply(found.best);
        };
        let moves: Vec<String> = game.moves().iter().map(|m| game.write_move(*m)).collect();
        Some(Game { moves: moves.join(" "), opening, scores, result: GameResult::of(outcome.winner) })
    }
}
