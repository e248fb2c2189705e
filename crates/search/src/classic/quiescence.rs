//! Beyond the horizon: captures are followed until none is worth making, so that no position is judged in the
//! middle of an exchange (seed 000 §4.4).

use shakmaty::{Chess, MoveList, Position};
use tabia_core::Score;
use tabia_eval::{Evaluate, View};

use super::captures;
use super::node::{Run, after, verdict_after_capture};
use super::ordering::{Hints, InOrder};
use super::window::Window;

impl<E: Evaluate> Run<'_, E> {
    /// The value of a position for the side to move, which may stand pat or capture, for at most `plies` captures
    /// in a row. With no plies it is the evaluation.
    pub(super) fn quiescence(&mut self, position: &Chess, plies: u32, ply: u16, window: Window) -> Score {
        self.deepest = self.deepest.max(ply);
        self.counts.evaluations += 1;
        let mut best = self.evaluation.relative(View::from(position));
        let mut alpha = window.alpha.max(best);
        if plies == 0 || (self.settings.pruning && alpha >= window.beta) {
            return best;
        }

        let mut moves = MoveList::new();
        captures::list(position, &mut moves);
        let in_order = InOrder::new(&moves, self.settings.ordering, &Hints::none(position.turn()));
        for (index, m) in in_order.enumerate() {
            if !self.budget.allows(self.counts.all_nodes()) {
                return Score::DRAW;
            }
            self.counts.quiescence_nodes += 1;
            let child_window = self.child_window(alpha, window.beta);
            let child = after(position, m);
            let score = match verdict_after_capture(&child, ply + 1) {
                Some(score) => -score,
                None => -self.quiescence(&child, plies - 1, ply + 1, child_window),
            };
            best = best.max(score);
            alpha = alpha.max(score);
            if self.cuts_off(alpha, window.beta, index) {
                break;
            }
        }
        best
    }
}
