//! What a finished node teaches: which moves cut, and which were tried before them in vain.

use tabia_eval::Evaluate;

use super::action::Action;
use super::position::Position;
use super::searcher::Searcher;

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

    /// Step 20: `action` cut; the moves tried before it did not.
    pub(super) fn learn_cutoff(
        &mut self,
        position: &Position,
        ply: usize,
        action: Action,
        depth: i32,
        quiet_tried: &[Action],
        noisy_tried: &[Action],
    ) {
        let (bonus, malus) = (self.bonus(depth), self.malus(depth));
        let context = self.context(position, ply);
        let noisy = position.is_noisy(action);
        if noisy {
            self.memory.histories.update_capture(position, action, bonus);
        } else {
            self.frame(ply).killer = action;
            // A cut-off at the first try of a shallow node says little.
            if depth > 3 || !quiet_tried.is_empty() {
                self.memory.histories.update_quiet(&context, position, action, bonus);
            }
            for tried in quiet_tried {
                self.memory.histories.update_quiet(&context, position, *tried, -malus);
            }
        }
        for tried in noisy_tried {
            self.memory.histories.update_capture(position, *tried, -malus);
        }
    }
}
