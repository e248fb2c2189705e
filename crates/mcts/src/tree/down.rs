//! Down: the way of the next simulation.

use shakmaty::Color;
use tabia_core::Game;

use super::{Kind, MET, NONE, Node, Pick, Tree};
use crate::leaf::Path;

impl<G: Game> Tree<G> {
    /// Chooses the way of the next simulation.
    pub fn pick(&mut self) -> Pick<G> {
        self.pick_through(None)
    }

    /// Chooses the way of the next simulation; at the root through the action of this number, if one is given.
    pub fn pick_through(&mut self, first: Option<usize>) -> Pick<G> {
        let mut path = Path { steps: Vec::new(), actions: Vec::new(), kept: None };
        if self.root == NONE {
            if self.root_awaited {
                return Pick::Busy;
            }
            self.root_awaited = true;
            return Pick::Way(path);
        }
        if self.is_proven() {
            return Pick::Proven;
        }
        if self.bytes() >= self.room() {
            return Pick::Full;
        }
        let mut at = self.root;
        loop {
            let node = self.node(at);
            if node.is_proven() {
                self.count_proven(&path, at);
                return Pick::Counted;
            }
            let edge = match node.kind {
                _ if at == self.root && first.is_some_and(|first| first < node.edges as usize) => {
                    node.first_edge + first.unwrap_or_default() as u32
                }
                Kind::Player(color) => self.best_edge(node, color),
                Kind::Chance | Kind::Over => self.next_outcome(node),
            };
            if self.edges[edge as usize].awaited {
                return Pick::Busy;
            }
            path.steps.push((at, edge));
            path.actions.push(self.edges[edge as usize].action);
            at = self.edges[edge as usize].child;
            if at == NONE {
                break;
            }
        }
        self.deepest = self.deepest.max(path.steps.len() as u32);
        path.kept = path
            .steps
            .iter()
            .enumerate()
            .rev()
            .find_map(|(at, (node, _))| Some((at, (**self.states[*node as usize].as_ref()?).clone())));
        for (node, edge) in &path.steps {
            self.nodes[*node as usize].in_flight += 1;
            if self.edges[*edge as usize].child == NONE {
                self.edges[*edge as usize].awaited = true;
            }
        }
        Pick::Way(path)
    }

    /// The action with the best sum of value and promise. Visits on their way count as lost.
    fn best_edge(&self, node: &Node, color: Color) -> u32 {
        let sign = color.fold_wb(1.0, -1.0);
        let (best_low, _) = node.bounds_for(node.kind);
        let edges = self.edges_of(node);
        let mut tried = 0.0;
        for edge in edges {
            if edge.child != NONE || edge.awaited {
                tried += edge.prior;
            }
        }
        let untried = sign * node.value() - f64::from(self.settings.first_play_reduction) * f64::sqrt(tried);
        let all = f64::from(node.visits + node.in_flight);
        let urge = f64::from(self.settings.exploration) * all.sqrt();
        let mut best = (node.first_edge, f64::NEG_INFINITY);
        for (at, edge) in edges.iter().enumerate() {
            let (visits, value) = match self.nodes.get(edge.child as usize) {
                Some(child) => {
                    let (low, high) = child.bounds_for(node.kind);
                    let worse = high <= best_low + MET && low < best_low - MET;
                    if worse || high <= -1.0 + MET {
                        continue;
                    }
                    let flying = f64::from(child.in_flight);
                    let visits = f64::from(child.visits) + flying;
                    (visits, (sign * child.sum - flying) / visits)
                }
                None if edge.awaited => (1.0, -1.0),
                None => (0.0, untried),
            };
            let score = value + urge * edge.prior / (1.0 + visits);
            if score > best.1 {
                best = (node.first_edge + at as u32, score);
            }
        }
        best.0
    }

    /// The outcome that is furthest behind its probability, among those not proven.
    fn next_outcome(&self, node: &Node) -> u32 {
        let mut best = (node.first_edge, f64::NEG_INFINITY);
        for (at, edge) in self.edges_of(node).iter().enumerate() {
            let visits = match self.nodes.get(edge.child as usize) {
                Some(child) if child.is_proven() => continue,
                Some(child) => f64::from(child.visits + child.in_flight),
                None => f64::from(u8::from(edge.awaited)),
            };
            let score = edge.prior / (visits + 1.0);
            if score > best.1 {
                best = (node.first_edge + at as u32, score);
            }
        }
        best.0
    }
}
