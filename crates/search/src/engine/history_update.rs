//! History updates: bonuses and maluses after a node has been searched or evaluated.

use tabia_eval::Evaluate;

use super::history::CONTINUATIONS;
use super::moves::Move;
use super::position::Position;
use super::searcher::{Searcher, StackEntry};

/// The largest history bonus from a change of the static evaluation.
const MAX_GAIN: i32 = 1_000;
/// The share of an evaluation gain is given in 16ths.
const GAIN_SCALE: i32 = 16;
/// Plies back of the moves before the previous one, for its continuation history.
const BEFORE_PREVIOUS: [usize; CONTINUATIONS] = [2, 3, 5];
/// Up to this depth a cut-off by the first quiet move updates no quiet history.
const SHALLOW: i32 = 3;
/// The bonus of the previous move is given in percent.
const PERCENT: i32 = 100;

impl<E: Evaluate> Searcher<'_, E> {
    /// The history bonus of a move that caused a cut-off at this depth.
    pub(super) fn bonus(&self, depth: i32) -> i32 {
        let params = self.shared.params;
        (params.history_bonus_slope * depth - params.history_bonus_base).clamp(0, params.history_bonus_most)
    }

    fn malus(&self, depth: i32) -> i32 {
        let params = self.shared.params;
        (params.history_malus_slope * depth).clamp(0, params.history_malus_most)
    }

    /// Step 20: `mv` caused a beta cut-off; the moves tried before it get a malus.
    pub(super) fn update_cutoff_histories(
        &mut self,
        position: &Position,
        ply: usize,
        mv: Move,
        depth: i32,
        quiet_tried: &[Move],
        noisy_tried: &[Move],
    ) {
        let (bonus, malus) = (self.bonus(depth), self.malus(depth));
        let context = self.context(position, ply);
        let noisy = position.is_noisy(mv);
        if noisy {
            self.data.histories.update_capture(position, mv, bonus);
        } else {
            self.stack(ply).killer = mv;
            // A cut-off by the first move of a shallow node says little.
            if depth > SHALLOW || !quiet_tried.is_empty() {
                self.data.histories.update_quiet(&context, position, mv, bonus);
            }
            for tried in quiet_tried {
                self.data.histories.update_quiet(&context, position, *tried, -malus);
            }
        }
        for tried in noisy_tried {
            self.data.histories.update_capture(position, *tried, -malus);
        }
    }

    /// After a fail low, the opponent's previous quiet move gets a bonus (Stockfish's prior countermove bonus).
    pub(super) fn update_previous_move(&mut self, ply: usize, depth: i32) {
        let bonus = self.bonus(depth) * self.shared.params.history_prior / PERCENT;
        let StackEntry { quiet_index: Some(quiet_index), piece_to, .. } = *self.stack_back(ply, 1) else {
            return;
        };
        if bonus > 0 {
            let before = BEFORE_PREVIOUS.map(|back| self.stack_back(ply, back).piece_to);
            self.data.histories.update_quiet_entry(quiet_index, bonus);
            self.data.histories.update_continuation(before, piece_to, bonus);
        }
    }

    /// The previous quiet move gets a bonus when the static evaluation improved for its side, and a malus when it fell.
    pub(super) fn update_from_evaluation(&mut self, ply: usize, singular_search: bool) {
        let share = self.shared.params.history_evaluation;
        if share == 0 || singular_search {
            return;
        }
        let earlier = *self.stack_back(ply, 1);
        let (Some(quiet_index), Some(before), Some(now)) =
            (earlier.quiet_index, earlier.evaluation, self.stack_back(ply, 0).evaluation)
        else {
            return;
        };
        // Each evaluation is from its own side to move, hence the sum.
        let gain = -(before + now);
        self.data
            .histories
            .update_quiet_entry(quiet_index, (gain * share / GAIN_SCALE).clamp(-MAX_GAIN, MAX_GAIN));
    }
}
