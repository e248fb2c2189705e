//! When the mate scout is sent out beside the main search, and for how many nodes.

use tabia_core::Bound;
use tabia_eval::Evaluate;

use super::action::Action;
use super::mate::{self, Scout, Verdict};
use super::position::Position;
use super::root::RootMove;
use super::searcher::{Line, Searcher};
use super::value::{Value, mate_in};

/// Nodes the main search must have seen before the scout looks for a mate in so many moves.
const NODES_BEFORE: [u64; mate::LONGEST + 1] = [0, 0, 4_000, 30_000, 1_000_000, 30_000_000, 1_000_000_000];
/// When asked for a mate the scout may always spend this much.
const LEAST_BUDGET_ON_REQUEST: u64 = 20_000;

/// What the scout has refuted so far, and when to try again.
#[derive(Clone, Debug)]
pub struct Plan {
    root: Position,
    /// The next length to look for, in full moves.
    moves: usize,
}

impl<E: Evaluate> Searcher<'_, E> {
    /// Sends the scout along with this search, if nobody is waiting for its move.
    pub(super) fn plan_scouting(&mut self, root: &Position) {
        let limits = self.shared.limits;
        let waiting = limits.clock.is_some() || limits.movetime.is_some() || limits.depth.is_some();
        if self.thread == 0 && self.shared.lines == 1 && (!waiting || limits.mate.is_some()) {
            self.look_for(Plan { root: root.clone(), moves: 1 }, 0);
        }
    }

    /// Looks for a mate of the plan's length, but not before so many nodes.
    fn look_for(&mut self, plan: Plan, not_before: u64) {
        let near_fifty = usize::from(plan.root.halfmove_clock()) + 2 * plan.moves > 99;
        if plan.moves <= mate::LONGEST && !near_fifty {
            let due = if self.shared.limits.mate.is_some() { 0 } else { NODES_BEFORE[plan.moves] };
            self.scout_from = due.max(not_before);
            self.plan = Some(plan);
        }
    }

    /// Looks for the next mate of the plan, in the middle of an iteration too: a single one may cost more than
    /// all before it. When the shortest mate is proven it is the first root move, with its line, and the search
    /// is over.
    #[cold]
    pub(super) fn scout(&mut self) {
        self.scout_from = u64::MAX;
        let Some(mut plan) = self.plan.take() else { return };
        if self.root_moves[0].value >= mate_in(2 * plan.moves - 1) {
            // One as short is known; it may turn out to be longer.
            self.look_for(plan, 2 * self.nodes);
            return;
        }
        let limits = self.shared.limits;
        let floor = if limits.mate.is_some() { LEAST_BUDGET_ON_REQUEST } else { 0 };
        let left = limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
        let first: Vec<Action> = if limits.search_moves.is_empty() {
            Vec::new()
        } else {
            self.root_moves.iter().map(|root_move| root_move.action).collect()
        };
        let mut scout = Scout::new(self.nodes.max(floor).min(left), self.shared.stop);
        let verdict = scout.search(&plan.root, plan.moves, &first);
        self.nodes += scout.nodes;
        match verdict {
            Verdict::None => {
                plan.moves += 1;
                self.look_for(plan, 0);
            }
            Verdict::OutOfNodes => self.look_for(plan, 2 * self.nodes),
            Verdict::Mate(line) => {
                self.believe(&line, mate_in(2 * plan.moves - 1));
                self.stopped = true;
            }
        }
    }

    /// Puts a proven line first.
    fn believe(&mut self, line: &[Action], value: Value) {
        let Some(index) = self.root_moves.iter().position(|root_move| root_move.action == line[0]) else {
            return;
        };
        let nodes = self.root_moves[index].nodes;
        let table_rank = self.root_moves[index].table_rank;
        let mut proven = RootMove::new(line[0]);
        proven.line = line.iter().copied().collect::<Line>();
        proven.value = value;
        proven.bound = Bound::Exact;
        proven.selective_depth = line.len();
        proven.nodes = nodes;
        proven.table_rank = table_rank;
        self.root_moves[index] = proven;
        self.root_moves[..=index].rotate_right(1);
    }
}
