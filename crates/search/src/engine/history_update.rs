//! What a finished node teaches: which moves cut, and which were tried before them in vain.

use tabia_eval::Evaluate;

use super::moves::Move;
use super::position::Position;
use super::searcher::{Searcher, StackEntry};

/// What an evaluation alone adds to a history at most.
const GAIN_MOST: i32 = 1_000;

impl<E: Evaluate> Searcher<'_, E> {
    /// How much a move that cut at this depth is rewarded.
    pub(super) fn bonus(&self, depth: i32) -> i32 {
        let params = self.shared.params;
        (params.history_bonus_slope * depth - params.history_bonus_base).clamp(0, params.history_bonus_most)
    }

    fn malus(&self, depth: i32) -> i32 {
        let params = self.shared.params;
        (params.history_malus_slope * depth).clamp(0, params.history_malus_most)
    }

    /// Step 20: `mv` cut; the moves tried before it did not.
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
            // A cut-off at the first try of a shallow node says little.
            if depth > 3 || !quiet_tried.is_empty() {
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

    /// No move was good enough: the one that led here deserves credit.
    pub(super) fn update_previous_move(&mut self, ply: usize, depth: i32) {
        let bonus = self.bonus(depth) * self.shared.params.history_prior / 100;
        let StackEntry { quiet_index: Some(quiet_index), piece_to, .. } = *self.stack_back(ply, 1) else {
            return;
        };
        if bonus > 0 {
            let before = [2, 3, 5].map(|back| self.stack_back(ply, back).piece_to);
            self.data.histories.update_quiet_entry(quiet_index, bonus);
            self.data.histories.update_continuation(before, piece_to, bonus);
        }
    }

    /// A quiet move after which its own side stands better than it did before was good, at first sight.
    pub(super) fn update_from_evaluation(&mut self, ply: usize, testing_singular: bool) {
        let share = self.shared.params.history_evaluation;
        if share == 0 || testing_singular {
            return;
        }
        let earlier = *self.stack_back(ply, 1);
        let (Some(quiet_index), Some(before), Some(now)) =
            (earlier.quiet_index, earlier.evaluation, self.stack_back(ply, 0).evaluation)
        else {
            return;
        };
        // Both are the mover's own view of its position: now the other side's.
        let gain = -(before + now);
        self.data.histories.update_quiet_entry(quiet_index, (gain * share / 16).clamp(-GAIN_MOST, GAIN_MOST));
    }
}
