//! Selection: PUCT at player nodes, deterministic sampling at chance nodes.

use shakmaty::Color;
use tabia_core::Game;

use super::{EPSILON, Kind, NONE, Node, Selection, Tree};
use crate::leaf::Path;

impl<G: Game> Tree<G> {
    /// Selects the path of the next simulation.
    pub fn select(&mut self) -> Selection<G> {
        self.select_through(None)
    }

    /// Selects the path of the next simulation, through the root action of this index, if given.
    pub fn select_through(&mut self, first: Option<usize>) -> Selection<G> {
        let mut path = Path { steps: Vec::new(), actions: Vec::new(), kept: None };
        if self.root == NONE {
            if self.root_pending {
                return Selection::Pending;
            }
            self.root_pending = true;
            return Selection::Leaf(path);
        }
        if self.is_proven() {
            return Selection::Proven;
        }
        if self.bytes() >= self.capacity() {
            return Selection::Full;
        }
        let mut at = self.root;
        loop {
            let node = self.node(at);
            if node.is_proven() {
                self.count_proven(&path, at);
                return Selection::Finished;
            }
            let edge = match node.kind {
                _ if at == self.root && first.is_some_and(|first| first < node.edges as usize) => {
                    node.first_edge + first.unwrap_or_default() as u32
                }
                Kind::Player(color) => self.best_edge(node, color),
                Kind::Chance | Kind::Over => self.next_outcome(node),
            };
            if self.edges[edge as usize].pending {
                return Selection::Pending;
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
                self.edges[*edge as usize].pending = true;
            }
        }
        Selection::Leaf(path)
    }

    /// The edge with the highest PUCT score. Pending visits count as losses (virtual loss).
    fn best_edge(&self, node: &Node, color: Color) -> u32 {
        let sign = color.fold_wb(1.0, -1.0);
        let (best_low, _) = node.bounds_for(node.kind);
        let edges = self.edges_of(node);
        let mut tried = 0.0;
        for edge in edges {
            if edge.child != NONE || edge.pending {
                tried += edge.prior;
            }
        }
        let untried = sign * node.value() - f64::from(self.settings.first_play_reduction) * f64::sqrt(tried);
        let all = f64::from(node.visits + node.in_flight);
        let exploration = f64::from(self.settings.exploration) * all.sqrt();
        let mut best = (node.first_edge, f64::NEG_INFINITY);
        for (at, edge) in edges.iter().enumerate() {
            let (visits, value) = match self.nodes.get(edge.child as usize) {
                Some(child) => {
                    let (low, high) = child.bounds_for(node.kind);
                    let worse = high <= best_low + EPSILON && low < best_low - EPSILON;
                    if worse || high <= -1.0 + EPSILON {
                        continue;
                    }
                    let virtual_losses = f64::from(child.in_flight);
                    let visits = f64::from(child.visits) + virtual_losses;
                    (visits, (sign * child.sum.value - virtual_losses) / visits)
                }
                None if edge.pending => (1.0, -1.0),
                None => (0.0, untried),
            };
            let score = value + exploration * edge.prior / (1.0 + visits);
            if score > best.1 {
                best = (node.first_edge + at as u32, score);
            }
        }
        best.0
    }

    /// The unproven outcome whose visits are furthest behind its probability.
    fn next_outcome(&self, node: &Node) -> u32 {
        let mut best = (node.first_edge, f64::NEG_INFINITY);
        for (at, edge) in self.edges_of(node).iter().enumerate() {
            let visits = match self.nodes.get(edge.child as usize) {
                Some(child) if child.is_proven() => continue,
                Some(child) => f64::from(child.visits + child.in_flight),
                None => f64::from(u8::from(edge.pending)),
            };
            let score = edge.prior / (visits + 1.0);
            if score > best.1 {
                best = (node.first_edge + at as u32, score);
            }
        }
        best.0
    }
}
