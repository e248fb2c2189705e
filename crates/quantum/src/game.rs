//! A game of quantum chess: the branches, the turn, and pending measurements.
//!
//! A move without a measurement passes the turn. One with a measurement leads to a chance turn first: whether the capture
//! happened (rule 9), and if it did, whether the captured piece was the king (rule 10). Each has two results with exact
//! probabilities; [`QuantumGame::measure`] samples one with a single random integer (rule 11).

use rand::Rng;
use shakmaty::{Board, Color};
use tabia_core::seed::{self, Random};
use tabia_core::{Game, Outcome, Reason, Turn};

use crate::action::{Action, Move};
use crate::branch::{Branch, Effect};
use crate::castling::Castling;
use crate::generate;
use crate::rules::Rules;
use crate::superposition;

/// Default ply limit, after which a game is drawn.
pub const DEFAULT_PLY_LIMIT: u32 = 512;
/// Plies without progress (rule 12, [`Rules`]) after which a game is drawn.
pub const NO_PROGRESS_LIMIT: u32 = 100;
/// Occurrences of the same state that make a draw.
const OCCURRENCES: usize = 3;

/// A game from its start to the current state.
///
/// ```
/// use tabia_core::Game;
/// use tabia_quantum::{Action, QuantumGame};
///
/// let mut game = QuantumGame::default();
/// let split = game.read_move("b1~c3")?;
/// game.apply(Action::Move(split));
/// assert_eq!(game.branches().len(), 2);
/// # Ok::<(), tabia_quantum::PlayError>(())
/// ```
#[derive(Debug)]
pub struct QuantumGame {
    pub(crate) branches: Vec<Branch>,
    pub(crate) total: u64,
    pub(crate) turn: Color,
    pub(crate) ply: u32,
    pub(crate) no_progress: u32,
    pub(crate) stage: Stage,
    ply_limit: u32,
    rules: Rules,
    /// Keys of the states since the last capture, the current one last. A captured piece never returns to any branch, so no
    /// earlier state can recur; one before a pawn move can, if the move is later measured not to have happened.
    history: Vec<u64>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Choice,
    /// A move is chosen; whether it captures is open. It captures in branches of this total weight.
    Capture {
        m: Move,
        hits: u64,
    },
    /// It captured; whether it took the king is open. It did in branches of this total weight.
    King {
        m: Move,
        hits: u64,
    },
    Over(Outcome),
}

/// A pending measurement with the weights of its results.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Measurement {
    pub asked_by: Move,
    /// Whether it is about the king (rule 10) or a capture (rule 9).
    pub about_king: bool,
    /// Total weight of the branches in which the result is yes.
    pub yes: u64,
    /// Total weight of all branches.
    pub total: u64,
}

impl Measurement {
    /// The action of a result.
    pub const fn answer(&self, yes: bool) -> Action {
        if self.about_king { Action::King(yes) } else { Action::Capture(yes) }
    }

    /// Probability of a result.
    pub fn probability(&self, yes: bool) -> f64 {
        let weight = if yes { self.yes } else { self.total - self.yes };
        weight as f64 / self.total as f64
    }
}

/// A clone reserves room for another ply, because clones are made to play on.
impl Clone for QuantumGame {
    fn clone(&self) -> QuantumGame {
        let mut history = Vec::with_capacity(self.history.len() + 8);
        history.extend_from_slice(&self.history);
        QuantumGame { branches: self.branches.clone(), history, ..*self }
    }
}

impl Default for QuantumGame {
    fn default() -> Self {
        let start = Branch::new(Board::new(), Castling::ALL, None, 1);
        QuantumGame::from_branches(vec![start], Color::White, 0, 0)
    }
}

impl QuantumGame {
    /// A game from branches that need not be in normal form.
    pub(crate) fn from_branches(
        branches: Vec<Branch>,
        turn: Color,
        no_progress: u32,
        ply: u32,
    ) -> QuantumGame {
        let mut game = QuantumGame {
            branches,
            total: 0,
            turn,
            ply,
            no_progress,
            stage: Stage::Choice,
            ply_limit: DEFAULT_PLY_LIMIT,
            rules: Rules::default(),
            history: Vec::new(),
        };
        game.settle();
        game
    }

    /// The same game with another ply limit.
    #[must_use]
    pub fn with_ply_limit(mut self, ply_limit: u32) -> QuantumGame {
        self.ply_limit = ply_limit;
        if self.stage == Stage::Choice || self.stage == Stage::Over(Outcome::draw(Reason::MoveLimit)) {
            self.stage = self.draw().map_or(Stage::Choice, Stage::Over);
        }
        self
    }

    /// The same game under another version of the rules, as a record of an older game needs it.
    #[must_use]
    pub fn with_rules(mut self, rules: Rules) -> QuantumGame {
        self.rules = rules;
        self
    }

    /// The version of the rules it is played by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The branches, in normal form except during a measurement.
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// The sum of the branches' weights.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The side to move; the side that moved during a measurement, and at the end of the game the last to have the turn.
    pub fn side_to_move(&self) -> Color {
        self.turn
    }

    /// Plies since the start; a start position counts by its move number.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Plies without a measured capture or a classical pawn move (rule 12, [`Rules`]).
    pub fn no_progress(&self) -> u32 {
        self.no_progress
    }

    /// Plies after which the game is drawn.
    pub fn ply_limit(&self) -> u32 {
        self.ply_limit
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.stage {
            Stage::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Occurrences of the current state, this one included.
    pub fn repetitions(&self) -> usize {
        match self.history.last() {
            Some(current) => self.history.iter().rev().step_by(2).filter(|key| *key == current).count(),
            None => 0,
        }
    }

    /// The pending measurement.
    pub fn measurement(&self) -> Option<Measurement> {
        let (asked_by, about_king, yes) = match self.stage {
            Stage::Capture { m, hits } => (m, false, hits),
            Stage::King { m, hits } => (m, true, hits),
            Stage::Choice | Stage::Over(_) => return None,
        };
        Some(Measurement { asked_by, about_king, yes, total: self.total })
    }

    /// Samples the result of the pending measurement: one integer below the total weight (rule 11).
    pub fn measure(&self, random: &mut Random) -> Option<Action> {
        let measurement = self.measurement()?;
        Some(measurement.answer(random.random_range(0..measurement.total) < measurement.yes))
    }

    /// Whether a move is legal now (rules 5 and 6).
    pub fn is_legal(&self, m: Move) -> bool {
        if self.stage != Stage::Choice {
            return false;
        }
        if !m.is_split() {
            return self.branches.iter().any(|branch| branch.effect(m, self.turn).is_some());
        }
        let splits = generate::splits(&self.branches, m, self.turn);
        (1..=generate::room(&self.branches, self.total)).contains(&splits)
    }

    /// The game with files mirrored, without its history and castling rights.
    #[must_use]
    pub fn mirrored(&self) -> QuantumGame {
        let mut branches: Vec<Branch> = self.branches.iter().map(Branch::mirrored).collect();
        branches.sort_by(Branch::order);
        let stage = match self.stage {
            Stage::Capture { m, hits } => Stage::Capture { m: m.mirrored(), hits },
            Stage::King { m, hits } => Stage::King { m: m.mirrored(), hits },
            Stage::Choice | Stage::Over(_) => self.stage,
        };
        let mut mirror = QuantumGame { branches, stage, history: Vec::new(), ..*self };
        mirror.history.push(mirror.state_key());
        mirror
    }

    /// Applies a player's move: determines whether something must be measured first.
    fn choose(&mut self, m: Move) {
        debug_assert!(self.is_legal(m), "{m} in {self}");
        if m.is_split() {
            self.split(m);
            return;
        }
        let hits = self.capturing(m);
        if hits == 0 || hits == self.total {
            self.carry_out(m, hits > 0);
        } else {
            self.stage = Stage::Capture { m, hits };
        }
    }

    /// Total weight of the branches in which a move captures.
    fn capturing(&self, m: Move) -> u64 {
        let enemy = self.turn.other();
        let mut hits = 0;
        for branch in &self.branches {
            // Check only branches with something to capture.
            let target =
                branch.board().by_color(enemy).contains(m.to()) || branch.en_passant() == Some(m.to());
            if target && matches!(branch.effect(m, self.turn), Some(Effect::Capture { .. })) {
                hits += branch.weight;
            }
        }
        hits
    }

    /// Rule 8: every branch that can make the move becomes two.
    fn split(&mut self, m: Move) {
        let mut pawn_moved = false;
        for at in 0..self.branches.len() {
            let branch = &mut self.branches[at];
            if branch.effect(m, self.turn) == Some(Effect::Quiet) {
                pawn_moved |= branch.board().pawns().contains(m.from());
                let mut moved = branch.clone();
                branch.pass();
                moved.make(m, self.turn, Effect::Quiet);
                self.branches.push(moved);
            } else {
                branch.pass();
                branch.weight *= 2;
            }
        }
        self.finish(false, pawn_moved && self.rules.split_pawn_move_is_progress());
    }

    /// Rule 9 after its measurement: makes the move in the branches that agree with the result and drops the others; then
    /// checks for the king (rule 10).
    fn carry_out(&mut self, m: Move, captures: bool) {
        let turn = self.turn;
        let (mut pawn_moved, mut kingless, mut kept) = (false, 0, 0);
        self.branches.retain_mut(|branch| {
            let effect = branch.effect(m, turn);
            if matches!(effect, Some(Effect::Capture { .. })) != captures {
                return false;
            }
            match effect {
                Some(effect) => {
                    pawn_moved |= branch.board().pawns().contains(m.from());
                    branch.make(m, turn, effect);
                }
                None => branch.pass(),
            }
            kept += branch.weight;
            if captures && !branch.has_king(turn.other()) {
                kingless += branch.weight;
            }
            true
        });
        self.total = kept;
        if kingless == kept {
            self.win();
        } else if kingless > 0 {
            self.stage = Stage::King { m, hits: kingless };
        } else {
            self.finish(captures, pawn_moved);
        }
    }

    /// Rule 10 after its measurement.
    fn find_king(&mut self, gone: bool) {
        if gone {
            self.win();
            return;
        }
        let enemy = self.turn.other();
        self.branches.retain(|branch| branch.has_king(enemy));
        self.finish(true, false);
    }

    /// The side that moved has won: keeps the branches in which it has.
    fn win(&mut self) {
        let enemy = self.turn.other();
        self.branches.retain(|branch| !branch.has_king(enemy));
        self.total = superposition::normalise(&mut self.branches);
        self.ply += 1;
        self.no_progress = 0;
        self.stage = Stage::Over(Outcome::win(self.turn, Reason::KingCaptured));
    }

    fn finish(&mut self, captured: bool, pawn_moved: bool) {
        self.turn = self.turn.other();
        self.ply += 1;
        self.no_progress = if captured || pawn_moved { 0 } else { self.no_progress + 1 };
        if captured {
            self.history.clear();
        }
        self.settle();
    }

    /// Normalises the branches and checks for draws.
    fn settle(&mut self) {
        self.total = superposition::normalise(&mut self.branches);
        self.history.push(self.state_key());
        self.stage = self.draw().map_or(Stage::Choice, Stage::Over);
    }

    fn draw(&self) -> Option<Outcome> {
        let reason = if !self.branches.iter().any(|branch| branch.can_move(self.turn)) {
            Reason::Stalemate
        } else if self.no_progress >= NO_PROGRESS_LIMIT {
            Reason::FiftyMoves
        } else if self.repetitions() >= OCCURRENCES {
            Reason::Repetition
        } else if self.branches.iter().all(Branch::has_only_kings) {
            Reason::InsufficientMaterial
        } else if self.ply >= self.ply_limit {
            Reason::MoveLimit
        } else {
            return None;
        };
        Some(Outcome::draw(reason))
    }

    fn state_key(&self) -> u64 {
        const BLACK: u64 = 0x5bd1_e995_9e37_79b9;
        superposition::key(&self.branches) ^ self.turn.fold_wb(0, BLACK)
    }
}

impl Game for QuantumGame {
    type Action = Action;

    fn turn(&self) -> Turn {
        match self.stage {
            Stage::Choice => Turn::Player(self.turn),
            Stage::Capture { .. } | Stage::King { .. } => Turn::Chance,
            Stage::Over(outcome) => Turn::Over(outcome),
        }
    }

    fn actions(&self, out: &mut Vec<Action>) {
        out.clear();
        if self.stage == Stage::Choice {
            generate::moves(&self.branches, self.total, self.turn, out);
        }
    }

    fn chances(&self, out: &mut Vec<(Action, f64)>) {
        out.clear();
        if let Some(measurement) = self.measurement() {
            out.extend([true, false].map(|yes| (measurement.answer(yes), measurement.probability(yes))));
        }
    }

    fn apply(&mut self, action: Action) {
        match (action, self.stage) {
            (Action::Move(m), Stage::Choice) => self.choose(m),
            (Action::Capture(happened), Stage::Capture { m, .. }) => self.carry_out(m, happened),
            (Action::King(gone), Stage::King { .. }) => self.find_king(gone),
            _ => debug_assert!(false, "{action:?} was not listed in {self}"),
        }
    }

    fn key(&self) -> u64 {
        match self.stage {
            Stage::Choice => self.history.last().copied().unwrap_or_default(),
            Stage::Capture { m, .. } => seed::derive(self.state_key(), m.index() as u64 + 1),
            Stage::King { m, .. } => seed::derive(self.state_key(), !(m.index() as u64)),
            Stage::Over(outcome) => seed::derive(self.state_key(), outcome.winner.map_or(0, |_| u64::MAX)),
        }
    }
}

/// The same normal form, side to move and pending measurement. Counters and history do not matter (rule 2).
impl PartialEq for QuantumGame {
    fn eq(&self, other: &QuantumGame) -> bool {
        self.turn == other.turn && self.stage == other.stage && self.branches == other.branches
    }
}

impl Eq for QuantumGame {}
