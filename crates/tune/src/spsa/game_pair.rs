//! A pair of games between two players with different search parameters.

use shakmaty::Color;
use tabia_core::{ChessGame, Outcome, Stop, play};
use tabia_search::agents;
use tabia_search::engine::{self, params::Params};
use tabia_search::player::{OwnLimits, Player};

use super::Settings;
use crate::datagen::game_rules::{self, ScoredGame};
use crate::datagen::{self, game};

/// Both players, and the game rules.
pub(super) struct GamePair {
    settings: datagen::Settings,
    players: [Box<dyn Player>; 2],
}

impl GamePair {
    pub(super) fn new(settings: &Settings, params: &[Params; 2]) -> Option<GamePair> {
        let player = |params: &Params| {
            let search = engine::Settings {
                hash_mb: game::HASH_MB,
                params: params.clone(),
                ..engine::Settings::default()
            };
            agents::player(&settings.evaluation, search, OwnLimits::default()).ok()
        };
        let rules = datagen::Settings {
            nodes: settings.nodes,
            evaluation: settings.evaluation.clone(),
            opening_bound: settings.opening_bound,
            win_score: settings.win_score,
            ..datagen::Settings::default()
        };
        Some(GamePair { settings: rules, players: [player(&params[0])?, player(&params[1])?] })
    }

    /// One opening with both colours: wins, draws and losses of the first. `None` if stopped.
    pub(super) fn pair(&mut self, seed: u64, stop: &Stop) -> Option<[u64; 3]> {
        let mut results = [0; 3];
        self.players[0].new_game();
        let Some(start) = game_rules::opening(&self.settings, &mut *self.players[0], seed, stop) else {
            // No opening was found: counted as two draws.
            return (!stop.is_stopped()).then_some([0, 2, 0]);
        };
        for white in [0, 1] {
            let outcome = self.game(start.clone(), white, stop)?;
            let first = if white == 0 { Color::White } else { Color::Black };
            let place = outcome.winner.map_or(1, |winner| if winner == first { 0 } else { 2 });
            results[place] += 1;
        }
        Some(results)
    }

    fn game(&mut self, mut game: ChessGame, white: usize, stop: &Stop) -> Option<Outcome> {
        for player in &mut self.players {
            player.new_game();
        }
        let players = &mut self.players;
        let mut players = ScoredGame::new(&self.settings, stop, |game, turn, limits| {
            players[turn.fold_wb(white, 1 - white)].search(game, limits, stop, &mut |_| {})
        });
        play::play(&mut game, &mut players).ok()
    }
}
