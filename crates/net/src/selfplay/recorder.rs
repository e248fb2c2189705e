//! Records a game of self-play while it is played, or replayed from a transcript.

use rand::Rng;
use shakmaty::Color;
use tabia_core::seed::{self, Random};
use tabia_core::{Outcome, Reason};
use tabia_mcts::Estimate;
use tabia_quantum::{Action, DEFAULT_PLY_LIMIT, Move, QuantumGame};

use crate::encoding::{self, EncodedPosition};
use crate::opening::{after_random_plies, imbalanced_start};
use crate::sample::PackedSample;
use crate::settings::Hyperparameters;
use crate::shard::{PlayedGame, PlyRecord};

/// Consecutive hopeless moves after which a side resigns.
const HOPELESS_MOVES: u32 = 2;

/// A sample before the game's result is known.
struct Draft {
    position: EncodedPosition,
    moves: Box<[(u16, u16)]>,
    turn: Color,
    /// The search's estimate for the side to move.
    estimate: Estimate,
}

pub(super) struct GameRecorder {
    number: u32,
    seed: u64,
    /// The position after the opening.
    start: String,
    first_ply: u32,
    /// Whether the game continues after a resignation, to measure false ones.
    ignores_resignation: bool,
    drafts: Vec<Draft>,
    plies: Vec<String>,
    moves: u32,
    splits: u32,
    /// Consecutive hopeless moves of each side.
    hopeless: [u32; 2],
    /// The side that would have resigned first.
    resigned: Option<Color>,
}

impl GameRecorder {
    /// The starting position of the game with this number, and the state of its random numbers.
    pub(super) fn start(
        number: u32,
        games_seed: u64,
        hyper: &Hyperparameters,
    ) -> (GameRecorder, QuantumGame, Random) {
        let game_seed = seed::derive(games_seed, u64::from(number));
        let mut rng = seed::random(game_seed);
        let plies = rng.random_range(0..=hyper.opening_plies);
        // Drawn only if used, so that games without imbalanced starts stay as they were.
        let is_imbalanced = hyper.uneven_share > 0.0 && rng.random_bool(f64::from(hyper.uneven_share));
        let start = if is_imbalanced { imbalanced_start(&mut rng) } else { QuantumGame::default() };
        let start = start.with_ply_limit(hyper.ply_limit);
        let game = after_random_plies(start, plies, &mut rng);
        let ignores_resignation = rng.random_bool(f64::from(hyper.no_resign_share));
        let recorder = GameRecorder {
            number,
            seed: game_seed,
            start: game.to_string(),
            first_ply: game.ply(),
            ignores_resignation,
            drafts: Vec::new(),
            plies: Vec::new(),
            moves: 0,
            splits: 0,
            hopeless: [0; 2],
            resigned: None,
        };
        (recorder, game, rng)
    }

    /// Records a choice; `shares` is the policy target, empty after a quick search. Returns the outcome if the side to move resigns.
    pub(super) fn choose(
        &mut self,
        game: &QuantumGame,
        chosen: Move,
        shares: impl IntoIterator<Item = (Action, u16)>,
        estimate: Estimate,
        resign_below: f32,
    ) -> Option<Outcome> {
        let turn = game.side_to_move();
        let moves = shares
            .into_iter()
            .map(|(action, share)| (encoding::policy_index(action, turn) as u16, share))
            .collect();
        self.drafts.push(Draft { position: EncodedPosition::new(game), moves, turn, estimate });
        self.moves += 1;
        self.splits += u32::from(chosen.is_split());
        let hopeless = &mut self.hopeless[turn.fold_wb(0, 1)];
        *hopeless = if estimate.value < f64::from(resign_below) { *hopeless + 1 } else { 0 };
        if *hopeless < HOPELESS_MOVES || self.resigned.is_some() {
            return None;
        }
        self.resigned = Some(turn);
        (!self.ignores_resignation).then(|| Outcome::win(turn.other(), Reason::Resignation))
    }

    /// Records the notation of a ply, including measurement results.
    pub(super) fn write(&mut self, ply: String) {
        self.plies.push(ply);
    }

    /// The finished game with its samples.
    pub(super) fn finish(
        &mut self,
        game: &QuantumGame,
        outcome: Option<Outcome>,
        value_share: f32,
    ) -> PlayedGame {
        let points = outcome.map_or(0.5, |outcome| outcome.points(Color::White)) as f32;
        let own = |turn: Color| turn.fold_wb(points, 1.0 - points);
        let resignation = match self.resigned {
            Some(turn) if self.ignores_resignation => {
                if own(turn) > 0.0 {
                    2
                } else {
                    1
                }
            }
            _ => 0,
        };
        let estimates: Vec<Estimate> = self.drafts.iter().map(|draft| draft.estimate).collect();
        // A truncated game has no result: bootstrap from the last search's estimate.
        let is_truncated = outcome.is_some_and(|outcome| outcome.reason == Reason::MoveLimit)
            && game.ply() < DEFAULT_PLY_LIMIT;
        let last = self.drafts.last().map(|draft| (draft.turn, draft.estimate)).filter(|_| is_truncated);
        let sample = |draft: Draft| {
            let result = own(draft.turn);
            let result_wdl = if let Some((turn, estimate)) = last {
                wdl_of(if turn == draft.turn { estimate } else { estimate.flipped() })
            } else if result > 0.75 {
                [1.0, 0.0, 0.0]
            } else if result > 0.25 {
                [0.0, 1.0, 0.0]
            } else {
                [0.0, 0.0, 1.0]
            };
            let search_wdl = wdl_of(draft.estimate);
            let target =
                std::array::from_fn(|at| value_share * search_wdl[at] + (1.0 - value_share) * result_wdl[at]);
            PackedSample { position: draft.position, moves: draft.moves, wdl: target }
        };
        PlayedGame {
            number: self.number,
            plies: game.ply() - self.first_ply,
            points,
            splits: 1000 * self.splits / self.moves.max(1),
            resignation,
            samples: std::mem::take(&mut self.drafts).into_iter().map(sample).collect(),
            seed: self.seed,
            rules: game.rules(),
            start: std::mem::take(&mut self.start),
            transcript: std::mem::take(&mut self.plies)
                .into_iter()
                .zip(estimates)
                .map(|(text, estimate)| PlyRecord { text, estimate })
                .collect(),
        }
    }
}

/// Win, draw and loss probabilities of an estimate, in single precision and within their range.
fn wdl_of(estimate: Estimate) -> [f32; 3] {
    Estimate::new(estimate.value, estimate.draw).wdl().map(|probability| (probability as f32).clamp(0.0, 1.0))
}
