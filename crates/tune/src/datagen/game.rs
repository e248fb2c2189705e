//! One game of self-play, with the score of every move.

use serde::{Deserialize, Serialize};
use tabia_core::{ChessGame, Game as _, Stop, play};
use tabia_search::player::Player;

use super::Settings;
use super::game_rules::{self, ScoredGame};
use crate::games;
use crate::sample::GameResult;

/// Hash size: small, because it is cleared before every game.
pub(crate) const HASH_MB: usize = 2;

/// A played game with the scores of its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    /// All moves in UCI notation.
    pub moves: String,
    /// Number of random opening moves, which have no score.
    pub opening: u16,
    /// Search scores of the other moves, White's view, as `Score::raw`.
    pub scores: Vec<i16>,
    pub result: GameResult,
}

impl Default for Game {
    fn default() -> Game {
        Game { moves: String::new(), opening: 0, scores: Vec::new(), result: GameResult::Draw }
    }
}

impl Game {
    /// The game in its stored form, or why it is impossible.
    pub(super) fn scored(&self, settings: &Settings) -> Result<games::ScoredGame, String> {
        let mut game = ChessGame::default();
        for (ply, text) in self.moves.split_whitespace().enumerate() {
            if game.outcome().is_some() {
                return Err(format!("a game was over before {text}, its half-move {}", ply + 1));
            }
            let found = game.read_move(text).map_err(|error| format!("half-move {}: {error}", ply + 1))?;
            game.apply(found);
        }
        let (moves, opening) = (game.moves().to_vec(), usize::from(self.opening));
        if opening + self.scores.len() != moves.len() {
            return Err(format!(
                "it has {} moves, of which {opening} are its opening, and {} scores",
                moves.len(),
                self.scores.len()
            ));
        }
        let over = game.outcome().map(|outcome| GameResult::of(outcome.winner));
        match over {
            Some(right) if right != self.result => Err("its result is not that of its moves".to_owned()),
            None if moves.len() as u32 >= settings.longest && self.result != GameResult::Draw => {
                Err("a game that was too long is drawn".to_owned())
            }
            _ => Ok(games::ScoredGame {
                start: None,
                moves,
                opening,
                scores: self.scores.clone(),
                result: self.result,
            }),
        }
    }
}

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
