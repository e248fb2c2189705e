//! Positions that a search evaluates, as training positions for a network that a teacher scores.
//!
//! Games have quiet positions between sensible moves. A search asks its evaluation about others: after blunders, in the
//! middle of exchanges, with a queen given away. A network that learned from games alone guesses there. A teacher whose
//! score is a function of the position, such as another network, can score these positions as well as any.
//!
//! [`VisitedPositions`] searches a position and keeps a uniform sample of what was evaluated (reservoir sampling), with
//! the scores of the evaluation itself. The sample depends on the seed and the game alone.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rand::Rng;
use shakmaty::{CastlingMode, Chess, Position};
use tabia_core::{ChessGame, Game as _, Limits, Score, Stop, seed};
use tabia_eval::explain::Explanation;
use tabia_eval::nnue::Nnue;
use tabia_eval::{Evaluate, View};
use tabia_search::engine::{Engine, Settings};

use crate::Sample;
use crate::games::ScoredGame;
use crate::sample::GameResult;

/// Small, because positions of a game share little that matters at a few hundred nodes.
const HASH_MB: usize = 2;

/// A uniform sample of the positions that were evaluated.
struct Reservoir {
    size: usize,
    seen: u64,
    random: seed::Random,
    result: GameResult,
    ply: u16,
    samples: Vec<Sample>,
}

impl Reservoir {
    fn add(&mut self, view: View<'_>, score: Score) {
        self.seen += 1;
        let slot = if self.samples.len() < self.size {
            self.samples.len()
        } else {
            let slot = self.random.random_range(0..self.seen);
            if slot >= self.size as u64 {
                return;
            }
            slot as usize
        };
        let sample = Sample {
            board: view.board.clone(),
            turn: view.turn,
            castling: view.castling,
            en_passant: view.en_passant,
            score: view.turn.fold_wb(score, -score).raw() as i16,
            result: self.result,
            ply: self.ply,
        };
        match self.samples.get_mut(slot) {
            Some(kept) => *kept = sample,
            None => self.samples.push(sample),
        }
    }
}

/// The network's evaluation, with a sample of the positions that it is asked about.
#[derive(Clone)]
struct RecordingEvaluator {
    evaluation: Nnue,
    reservoir: Arc<Mutex<Reservoir>>,
}

fn locked(reservoir: &Mutex<Reservoir>) -> MutexGuard<'_, Reservoir> {
    reservoir.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Evaluate for RecordingEvaluator {
    fn evaluate(&mut self, view: View<'_>) -> Score {
        let score = self.relative(view);
        view.turn.fold_wb(score, -score)
    }

    fn relative(&mut self, view: View<'_>) -> Score {
        let score = self.evaluation.relative(view);
        locked(&self.reservoir).add(view, score);
        score
    }

    fn explain(&self, view: View<'_>) -> Explanation {
        self.evaluation.explain(view)
    }

    fn push(&mut self) {
        self.evaluation.push();
    }

    fn pop(&mut self) {
        self.evaluation.pop();
    }

    fn restart(&mut self) {
        self.evaluation.restart();
    }
}

/// Searches the positions of games with the network and samples what it evaluates.
pub struct VisitedPositions {
    engine: Engine<RecordingEvaluator>,
    reservoir: Arc<Mutex<Reservoir>>,
    nodes: u64,
    seed: u64,
    stop: Stop,
}

impl VisitedPositions {
    /// `count` positions of every search of `nodes` nodes. Once `stop` is raised, searches end at once, and the positions
    /// depend on when that was.
    pub fn new(count: usize, nodes: u64, seed: u64, stop: Stop) -> VisitedPositions {
        let reservoir = Arc::new(Mutex::new(Reservoir {
            size: count,
            seen: 0,
            random: seed::random(seed),
            result: GameResult::Draw,
            ply: 0,
            samples: Vec::new(),
        }));
        let evaluation =
            RecordingEvaluator { evaluation: Nnue::default(), reservoir: Arc::clone(&reservoir) };
        let engine = Engine::new(evaluation, Settings { hash_mb: HASH_MB, ..Settings::default() });
        VisitedPositions { engine, reservoir, nodes, seed, stop }
    }

    /// What searches of a game's positions after its opening evaluate. Scores are those of the network, White's view;
    /// results are the game's.
    pub fn of_game(&mut self, game: &ScoredGame) -> Vec<Sample> {
        let Some((mut position, start)) = game.begin() else { return Vec::new() };
        self.engine.clear();
        let mut samples = Vec::new();
        for index in game.opening..=game.moves.len() {
            if index == game.opening {
                game.moves[..index].iter().for_each(|played| position.play_unchecked(*played));
            } else {
                position.play_unchecked(game.moves[index - 1]);
            }
            samples.extend(self.of_position(&position, game.result, start.saturating_add(index as u16)));
        }
        samples
    }

    fn of_position(&mut self, position: &Chess, result: GameResult, ply: u16) -> Vec<Sample> {
        let game = ChessGame::from_position(position.clone(), CastlingMode::Standard);
        {
            let mut reservoir = locked(&self.reservoir);
            reservoir.seen = 0;
            reservoir.random = seed::random(seed::derive(seed::derive(self.seed, game.key()), ply.into()));
            reservoir.result = result;
            reservoir.ply = ply;
        }
        // Where the game is over there is no move to search, and nothing is evaluated.
        let _ = self.engine.search(&game, &Limits::nodes(self.nodes), &self.stop, &mut |_| {});
        std::mem::take(&mut locked(&self.reservoir).samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_eval::testing;

    const MIDDLEGAME: &str = "r1bqk2r/2pp1ppp/p1n2n2/1pb1p3/4P3/1B3N2/PPPP1PPP/RNBQR1K1 b kq - 3 7";

    fn visiting(count: usize, nodes: u64, seed: u64) -> VisitedPositions {
        VisitedPositions::new(count, nodes, seed, Stop::new())
    }

    /// A game without moves.
    fn game(fen: &str) -> ScoredGame {
        ScoredGame::from_sample(&Sample::new(&testing::position(fen), 0, GameResult::Win, 30))
    }

    #[test]
    fn as_many_positions_as_asked_are_kept_with_the_networks_scores() {
        let samples = visiting(20, 500, 1).of_game(&game(MIDDLEGAME));
        assert_eq!(samples.len(), 20);
        let mut network = Nnue::default();
        for sample in &samples {
            assert_eq!(i32::from(sample.score), network.evaluate(sample.view()).raw());
            assert_eq!((sample.result, sample.ply), (GameResult::Win, 30));
        }
        assert!(samples.iter().any(|sample| sample.board != *testing::position(MIDDLEGAME).board()));
    }

    #[test]
    fn the_sample_depends_on_the_seed_and_the_game_alone() {
        let endgame = game("4k3/pp3ppp/8/3n4/8/2N5/PP3PPP/4K3 w - - 0 20");
        let visited = |seed| visiting(20, 500, seed).of_game(&endgame);
        let mut another_before = visiting(20, 500, 1);
        another_before.of_game(&game(MIDDLEGAME));
        assert_eq!(another_before.of_game(&endgame), visited(1));
        assert_ne!(visited(1), visited(2));
    }

    #[test]
    fn positions_follow_the_moves_of_a_game() {
        let mut record = ChessGame::default();
        for text in ["e2e4", "e7e5", "g1f3"] {
            let found = record.read_move(text).unwrap();
            record.apply(found);
        }
        let moves = record.moves().to_vec();
        let game =
            ScoredGame { start: None, moves, opening: 1, scores: vec![0, 0], result: GameResult::Draw };
        let samples = visiting(5, 100, 1).of_game(&game);
        let plies: Vec<u16> = samples.iter().map(|sample| sample.ply).collect();
        assert_eq!(plies, [vec![1; 5], vec![2; 5], vec![3; 5]].concat());
    }

    #[test]
    fn a_position_without_moves_gives_nothing() {
        let mate = game("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1");
        assert!(visiting(20, 500, 1).of_game(&mate).is_empty());
    }

    #[test]
    fn a_raised_flag_ends_searches_of_any_length() {
        let stop = Stop::new();
        stop.stop();
        let mut visiting = VisitedPositions::new(20, 1 << 50, 1, stop);
        assert!(visiting.of_game(&game(MIDDLEGAME)).len() <= 20);
    }
}
