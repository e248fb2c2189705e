//! Game rules of self-play: random openings and adjudication.

use std::ops::ControlFlow;

use rand::Rng;
use shakmaty::{Color, Move};
use tabia_core::play::{Players, Unfinished};
use tabia_core::{AgentError, ChessGame, Game as _, Limits, Outcome, Reason, Score, Stop, Turn, seed};
use tabia_search::engine::SearchResult;
use tabia_search::player::Player;

use super::Settings;

/// Random openings tried before a game is given up; far more than ever needed.
const OPENINGS_TRIED: u64 = 100;
/// Nodes for checking whether an opening is balanced, at most.
const OPENING_NODES: u64 = 4_000;
/// Nodes of that check in moves of the game: where games are quick, it would cost more than they do.
const OPENING_MOVES: u64 = 4;

/// A random opening after which the game goes on; `None` if stopped, or if none was found.
pub(crate) fn opening(
    settings: &Settings,
    player: &mut dyn Player,
    seed: u64,
    stop: &Stop,
) -> Option<ChessGame> {
    (0..OPENINGS_TRIED).find_map(|attempt| {
        let mut random = seed::random(seed::derive(seed, attempt));
        let plies = settings.random_plies + u32::from(random.random::<bool>());
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
        let nodes = OPENING_NODES.min(OPENING_MOVES * settings.nodes);
        let found = player.search(&game, &Limits::nodes(nodes), stop, &mut |_| {}).ok()?;
        (found.score.raw().abs() <= settings.opening_bound).then_some(game)
    })
}

/// Counts consecutive plies with a property.
#[derive(Copy, Clone, Debug, Default)]
struct Streak(u32);

impl Streak {
    fn count(&mut self, holds: bool) -> u32 {
        self.0 = if holds { self.0 + 1 } else { 0 };
        self.0
    }
}

/// Adjudicates games.
#[derive(Copy, Clone, Debug, Default)]
struct Adjudicator {
    white_wins: Streak,
    black_wins: Streak,
    level: Streak,
}

impl Adjudicator {
    /// Takes the score of a ply in White's view; returns the outcome if that decides the game.
    fn update(&mut self, settings: &Settings, score: Score, ply: u32) -> Option<Outcome> {
        if self.white_wins.count(score.raw() >= settings.win_score) >= settings.win_plies {
            return Some(Outcome::win(Color::White, Reason::Adjudication));
        }
        if self.black_wins.count(score.raw() <= -settings.win_score) >= settings.win_plies {
            return Some(Outcome::win(Color::Black, Reason::Adjudication));
        }
        let even = score.raw().abs() <= settings.draw_score && ply >= settings.draw_from;
        (self.level.count(even) >= settings.draw_plies).then(|| Outcome::draw(Reason::Adjudication))
    }
}

/// A game whose every move has a score; `search` searches for both sides.
pub(crate) struct ScoredGame<'a, S> {
    settings: &'a Settings,
    stop: &'a Stop,
    search: S,
    adjudicator: Adjudicator,
    /// White's score of every move after the opening.
    pub(crate) scores: Vec<i16>,
}

impl<'a, S: FnMut(&ChessGame, Color, &Limits) -> Result<SearchResult, AgentError>> ScoredGame<'a, S> {
    /// A game after its opening.
    pub(crate) fn new(settings: &'a Settings, stop: &'a Stop, search: S) -> ScoredGame<'a, S> {
        ScoredGame { settings, stop, search, adjudicator: Adjudicator::default(), scores: Vec::new() }
    }
}

impl<S: FnMut(&ChessGame, Color, &Limits) -> Result<SearchResult, AgentError>> Players<ChessGame>
    for ScoredGame<'_, S>
{
    type Error = Unfinished;

    fn adjudicate(&mut self, game: &ChessGame) -> Option<Outcome> {
        (game.moves().len() as u32 >= self.settings.longest).then_some(Outcome::draw(Reason::MoveLimit))
    }

    fn choose(&mut self, game: &ChessGame, turn: Color) -> Result<ControlFlow<Outcome, Move>, Unfinished> {
        let found = (self.search)(game, turn, &Limits::nodes(self.settings.nodes))?;
        if self.stop.is_stopped() {
            return Err(Unfinished::Stopped);
        }
        let score = turn.fold_wb(found.score, -found.score);
        if let Some(outcome) = self.adjudicator.update(self.settings, score, game.moves().len() as u32) {
            return Ok(ControlFlow::Break(outcome));
        }
        // A score fits 16 bits.
        self.scores.push(score.raw() as i16);
        Ok(ControlFlow::Continue(found.best))
    }
}
