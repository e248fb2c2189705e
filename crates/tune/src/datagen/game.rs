//! One game of self-play, and what is kept of it.

use rand::Rng;
use shakmaty::{Color, Position};
use tabia_core::{ChessGame, Game as _, Limits, Outcome, Reason, Score, Stop, Turn, seed};
use tabia_search::player::Player;

use super::Settings;
use super::task::Game;
use crate::sample::GameResult;

/// The engine's table: small, for it is cleared before every game.
pub(super) const HASH_MB: usize = 2;
/// Random openings tried before a game is given up: far more than are ever needed.
const OPENINGS_TRIED: u64 = 100;
/// Nodes spent on seeing whether an opening is playable.
const OPENING_NODES: u64 = 4_000;

/// A board, an engine on both sides of it, and the rules of the house.
pub struct Table {
    /// What is played.
    pub settings: Settings,
    /// Who plays.
    pub player: Box<dyn Player>,
}

/// Counts half-moves in a row of which something holds.
#[derive(Copy, Clone, Debug, Default)]
struct Streak(u32);

impl Streak {
    fn count(&mut self, holds: bool) -> u32 {
        self.0 = if holds { self.0 + 1 } else { 0 };
        self.0
    }
}

impl Table {
    /// Plays the game of a seed; none if stopped before its end.
    pub fn play(&mut self, seed: u64, stop: &Stop) -> Option<Game> {
        self.player.new_game();
        let Some(mut game) = self.opening(seed, stop) else {
            return (!stop.is_stopped()).then(Game::default);
        };
        let mut kept = Vec::new();
        let (mut white_wins, mut black_wins, mut level) = <(Streak, Streak, Streak)>::default();
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
            if white_wins.count(score.raw() >= self.settings.win_score) >= self.settings.win_plies {
                break Outcome::win(Color::White, Reason::Adjudication);
            }
            if black_wins.count(score.raw() <= -self.settings.win_score) >= self.settings.win_plies {
                break Outcome::win(Color::Black, Reason::Adjudication);
            }
            let even = score.raw().abs() <= self.settings.draw_score && ply >= self.settings.draw_from;
            if level.count(even) >= self.settings.draw_plies {
                break Outcome::draw(Reason::Adjudication);
            }
            let quiet = !game.position().is_check() && !found.best.is_capture() && !found.best.is_promotion();
            if quiet && ply >= self.settings.first_ply && !score.is_decisive() {
                kept.push((ply as u16, centipawns(score)));
            }
            game.apply(found.best);
        };
        let moves: Vec<String> = game.moves().iter().map(|m| game.write_move(*m)).collect();
        Some(Game { moves: moves.join(" "), result: GameResult::of(outcome.winner), kept })
    }

    /// Random moves that leave a game to be played; none if stopped, or if luck would not have it.
    fn opening(&mut self, seed: u64, stop: &Stop) -> Option<ChessGame> {
        (0..OPENINGS_TRIED).find_map(|attempt| {
            let mut random = seed::random(seed::derive(seed, attempt));
            let plies = self.settings.random_plies + u32::from(random.random::<bool>());
            let mut game = ChessGame::default();
            let mut actions = Vec::new();
            for _ in 0..plies {
                game.actions(&mut actions);
                let action = *actions.get(random.random_range(0..actions.len().max(1)))?;
                game.apply(action);
            }
            if matches!(game.turn(), Turn::Over(_)) || stop.is_stopped() {
                return None;
            }
            let found = self.player.search(&game, &Limits::nodes(OPENING_NODES), stop, &mut |_| {}).ok()?;
            (found.score.raw().abs() <= self.settings.opening_bound).then_some(game)
        })
    }
}

/// A score that is no mate, as it is stored.
fn centipawns(score: Score) -> i16 {
    score.raw().clamp(i16::MIN.into(), i16::MAX.into()) as i16
}
