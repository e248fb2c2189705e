//! What is remembered of a game while it is played, or replayed from what somebody else tells of it.

use rand::Rng;
use shakmaty::Color;
use tabia_core::seed::{self, Random};
use tabia_core::{Outcome, Reason};
use tabia_quantum::{Action, DEFAULT_PLY_LIMIT, Move, QuantumGame};

use crate::opening::{after_random_plies, uneven};
use crate::sample::Sample;
use crate::settings::Knobs;
use crate::shard::Played;
use crate::view::{self, Seen};

/// Moves in a row after which one who is lost resigns.
const HOPELESS_MOVES: u32 = 2;

/// A state of the game, before it is known how it ends.
struct Draft {
    seen: Seen,
    moves: Box<[(u16, u16)]>,
    turn: Color,
    thought: f64,
}

/// A game so far.
pub(super) struct Story {
    number: u32,
    first_ply: u32,
    /// Whether it is played on after somebody would have resigned.
    plays_on: bool,
    drafts: Vec<Draft>,
    plies: Vec<String>,
    moves: u32,
    splits: u32,
    /// Moves in a row after which each side thought itself lost.
    hopeless: [u32; 2],
    /// Who would have resigned first.
    resigned: Option<Color>,
}

impl Story {
    /// How the game of a number begins, and the luck that it goes on with.
    pub(super) fn begin(number: u32, all_games: u64, knobs: &Knobs) -> (Story, QuantumGame, Random) {
        let mut random = seed::random(seed::derive(all_games, u64::from(number)));
        let plies = random.random_range(0..=knobs.opening_plies);
        // Asked for only where it is wanted, so that settings without it play as they always did.
        let is_uneven = knobs.uneven_share > 0.0 && random.random_bool(f64::from(knobs.uneven_share));
        let start = if is_uneven { uneven(&mut random) } else { QuantumGame::default() };
        let start = start.with_ply_limit(knobs.ply_limit);
        let game = after_random_plies(start, plies, &mut random);
        let plays_on = random.random_bool(f64::from(knobs.no_resign_share));
        let story = Story {
            number,
            first_ply: game.ply(),
            plays_on,
            drafts: Vec::new(),
            plies: Vec::new(),
            moves: 0,
            splits: 0,
            hopeless: [0; 2],
            resigned: None,
        };
        (story, game, random)
    }

    /// The side to move has chosen a move; what a search made of all of them is empty where it was too short. The outcome, if somebody resigns now.
    pub(super) fn choose(
        &mut self,
        game: &QuantumGame,
        chosen: Move,
        shares: impl IntoIterator<Item = (Action, u16)>,
        thought: f64,
        resign_below: f32,
    ) -> Option<Outcome> {
        let turn = game.side_to_move();
        let moves =
            shares.into_iter().map(|(action, share)| (view::index(action, turn) as u16, share)).collect();
        self.drafts.push(Draft { seen: Seen::new(game), moves, turn, thought });
        self.moves += 1;
        self.splits += u32::from(chosen.is_split());
        let hopeless = &mut self.hopeless[turn.fold_wb(0, 1)];
        *hopeless = if thought < f64::from(resign_below) { *hopeless + 1 } else { 0 };
        if *hopeless < HOPELESS_MOVES || self.resigned.is_some() {
            return None;
        }
        self.resigned = Some(turn);
        (!self.plays_on).then(|| Outcome::win(turn.other(), Reason::Resignation))
    }

    /// The ply as it is written, with what was measured.
    pub(super) fn write(&mut self, ply: String) {
        self.plies.push(ply);
    }

    /// The game as it is learned from, once it is over.
    pub(super) fn end(&mut self, game: &QuantumGame, outcome: Option<Outcome>, thought_share: f32) -> Played {
        let points = outcome.map_or(0.5, |outcome| outcome.points(Color::White)) as f32;
        let own = |turn: Color| turn.fold_wb(points, 1.0 - points);
        let resignation = match self.resigned {
            Some(turn) if self.plays_on => {
                if own(turn) > 0.0 {
                    2
                } else {
                    1
                }
            }
            _ => 0,
        };
        let thoughts: Vec<f64> = self.drafts.iter().map(|draft| draft.thought).collect();
        // A game that we broke off, not the rules, has not ended: what was thought of it last is the best that is known.
        let is_broken_off = outcome.is_some_and(|outcome| outcome.reason == Reason::MoveLimit)
            && game.ply() < DEFAULT_PLY_LIMIT;
        let last = self.drafts.last().map(|draft| (draft.turn, draft.thought)).filter(|_| is_broken_off);
        let sample = |draft: Draft| {
            let result = own(draft.turn);
            let ended = if let Some((turn, thought)) = last {
                chances(if turn == draft.turn { thought } else { -thought })
            } else if result > 0.75 {
                [1.0, 0.0, 0.0]
            } else if result > 0.25 {
                [0.0, 1.0, 0.0]
            } else {
                [0.0, 0.0, 1.0]
            };
            let thought = chances(draft.thought);
            let blend =
                std::array::from_fn(|at| thought_share * thought[at] + (1.0 - thought_share) * ended[at]);
            Sample { seen: draft.seen, moves: draft.moves, chances: blend }
        };
        Played {
            number: self.number,
            plies: game.ply() - self.first_ply,
            points,
            splits: 1000 * self.splits / self.moves.max(1),
            resignation,
            samples: std::mem::take(&mut self.drafts).into_iter().map(sample).collect(),
            told: std::mem::take(&mut self.plies).into_iter().zip(thoughts).collect(),
        }
    }
}

/// A value as chances to win, draw and lose, without draws.
fn chances(value: f64) -> [f32; 3] {
    let win = f64::midpoint(value.clamp(-1.0, 1.0), 1.0) as f32;
    [win, 0.0, 1.0 - win]
}
