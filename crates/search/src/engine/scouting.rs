//! When the mate scout is sent out beside the main search, and for how many nodes.

use tabia_core::Bound;
use tabia_eval::Evaluate;

use super::action::Action;
use super::mate::{self, Scout, Verdict};
use super::position::Position;
use super::root::RootMove;
use super::searcher::{Line, Searcher};
use super::value::{MATE_BOUND, Value, mate_in};

/// Nodes the main search must have seen before the scout looks for a mate in so many moves.
const NODES_BEFORE: [u64; mate::LONGEST + 1] = [0, 0, 4_000, 30_000, 1_000_000, 30_000_000, 1_000_000_000];
/// When asked for a mate the scout may always spend this much.
const LEAST_BUDGET_ON_REQUEST: u64 = 20_000;

/// What the scout has refuted so far, and when to try again.
#[derive(Copy, Clone, Debug)]
pub struct Plan {
    /// The next length to look for, in full moves.
    moves: usize,
    /// Not before so many nodes.
    not_before: u64,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { moves: 1, not_before: 0 }
    }
}

impl<E: Evaluate> Searcher<'_, E> {
    /// After a finished iteration: sends the scout if it is worth it. True when the shortest mate was proven; it
    /// is then the first root move, with its line.
    pub(super) fn scout(&mut self, position: &Position, plan: &mut Plan) -> bool {
        let limits = self.shared.limits;
        let asked = limits.mate.is_some();
        let waiting = limits.clock.is_some() || limits.movetime.is_some() || limits.depth.is_some();
        if self.thread != 0 || self.shared.lines > 1 || (waiting && !asked) {
            return false;
        }
        while plan.moves <= mate::LONGEST {
            let known = self.root_moves[0].value;
            let too_long = known >= mate_in(2 * plan.moves - 1) && known >= MATE_BOUND;
            let due = asked || self.nodes >= NODES_BEFORE[plan.moves];
            let near_fifty = usize::from(position.halfmove_clock()) + 2 * plan.moves > 99;
            if too_long || !due || self.nodes < plan.not_before || near_fifty {
                return false;
            }
            let floor = if asked { LEAST_BUDGET_ON_REQUEST } else { 0 };
            let left = limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
            let budget = self.nodes.max(floor).min(left);
            let first: Vec<Action> = if limits.search_moves.is_empty() {
                Vec::new()
            } else {
                self.root_moves.iter().map(|root_move| root_move.action).collect()
            };
            let mut scout = Scout::new(budget);
            let verdict = scout.search(position, plan.moves, &first);
            self.nodes += scout.nodes;
            match verdict {
                Verdict::None => plan.moves += 1,
                Verdict::OutOfNodes => {
                    plan.not_before = 2 * self.nodes;
                    return false;
                }
                Verdict::Mate(line) => {
                    self.believe(&line, mate_in(2 * plan.moves - 1));
                    return true;
                }
            }
        }
        false
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
