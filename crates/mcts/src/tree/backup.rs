//! Expansion and backpropagation of values and bounds.

use shakmaty::Color;
use tabia_core::{Game, Outcome, Turn};

use super::{EPSILON, Edge, Kind, NONE, Node, Tree};
use crate::estimate::Estimate;
use crate::leaf::{Leaf, Path};
use crate::policy_value::Evaluation;

impl<G: Game> Tree<G> {
    /// Expands a leaf and backpropagates its evaluation. Only a finished game needs none.
    pub fn expand(&mut self, leaf: Leaf<G>, evaluation: Option<&Evaluation>) {
        let Leaf { game, path, chances, actions } = leaf;
        for (node, _) in &path.steps {
            self.nodes[*node as usize].in_flight -= 1;
        }
        let mut top = NONE;
        let mut steps = path.steps;
        // Chance nodes between the last edge and the state.
        for step in chances {
            let edges = step.outcomes.into_iter();
            let node = self.add(Kind::Chance, edges, steps.last().map(|(_, edge)| *edge));
            top = if top == NONE { node } else { top };
            steps.push((node, self.node(node).first_edge + step.taken as u32));
        }
        let edge = steps.last().map(|(_, edge)| *edge);
        let (node, estimate) = match game.turn() {
            Turn::Over(outcome) => {
                let node = self.add(Kind::Over, std::iter::empty(), edge);
                let estimate = estimate_of(outcome);
                (self.nodes[node as usize].low, self.nodes[node as usize].high) =
                    (estimate.value, estimate.value);
                (node, estimate)
            }
            Turn::Player(color) => {
                let priors =
                    priors(actions.len(), evaluation.map_or(&[][..], |evaluation| &evaluation.priors));
                let edges = actions.into_iter().zip(priors);
                let node = self.add(Kind::Player(color), edges, edge);
                let estimate = evaluation.map_or_else(Estimate::default, Evaluation::estimate);
                (node, color.fold_wb(estimate, estimate.flipped()))
            }
            Turn::Chance => (self.add(Kind::Chance, std::iter::empty(), edge), Estimate::default()),
        };
        if self.root == NONE {
            self.root = if top == NONE { node } else { top };
            self.root_pending = false;
        }
        self.nodes[node as usize].visits = 1;
        self.nodes[node as usize].sum = estimate;
        if self.kept_states < self.settings.kept_states && matches!(self.node(node).kind, Kind::Player(_)) {
            self.states[node as usize] = Some(Box::new(game));
            self.kept_states += 1;
        }
        self.backpropagate(&steps, estimate, self.node(node).is_proven());
    }

    /// Cancels a selected leaf.
    pub fn cancel(&mut self, path: &Path<G>) {
        for (node, edge) in &path.steps {
            self.nodes[*node as usize].in_flight -= 1;
            self.edges[*edge as usize].pending = false;
        }
        if path.steps.is_empty() {
            self.root_pending = false;
        }
    }

    /// Adds a node at the end of an edge.
    pub(super) fn add(
        &mut self,
        kind: Kind,
        edges: impl Iterator<Item = (G::Action, f64)>,
        of: Option<u32>,
    ) -> u32 {
        let at = self.nodes.len() as u32;
        let first_edge = self.edges.len() as u32;
        self.edges.extend(edges.map(|(action, prior)| Edge { action, prior, child: NONE, pending: false }));
        self.nodes.push(Node {
            kind,
            first_edge,
            edges: self.edges.len() as u32 - first_edge,
            visits: 0,
            in_flight: 0,
            sum: Estimate::default(),
            low: -1.0,
            high: 1.0,
        });
        self.states.push(None);
        if let Some(edge) = of {
            self.edges[edge as usize].child = at;
            self.edges[edge as usize].pending = false;
        }
        at
    }

    /// Backpropagates a visit that ended at a proven node.
    pub(super) fn count_proven(&mut self, path: &Path<G>, at: u32) {
        let proven = self.proven_estimate(self.node(at));
        let node = &mut self.nodes[at as usize];
        let before = node.sum;
        node.visits += 1;
        node.sum = times(proven, node.visits);
        let change = difference(node.sum, before);
        self.backpropagate(&path.steps, change, false);
    }

    /// Adds a visit to every node of a path, from its end to the root, and propagates the change of the child's sum.
    fn backpropagate(&mut self, steps: &[(u32, u32)], mut change: Estimate, mut narrowed: bool) {
        for (at, _) in steps.iter().rev() {
            if narrowed {
                narrowed = self.narrow(*at);
            }
            let node = self.node(*at);
            let visits = node.visits + 1;
            let sum = match node.kind {
                _ if node.is_proven() => times(self.proven_estimate(node), visits),
                Kind::Chance => times(self.expectation(node), visits),
                Kind::Player(_) | Kind::Over => {
                    Estimate { value: node.sum.value + change.value, draw: node.sum.draw + change.draw }
                }
            };
            let node = &mut self.nodes[*at as usize];
            change = difference(sum, node.sum);
            node.visits = visits;
            node.sum = sum;
        }
    }

    /// Expectation over the visited outcomes.
    fn expectation(&self, node: &Node) -> Estimate {
        let (mut sum, mut weight) = (Estimate::default(), 0.0);
        for edge in self.edges_of(node) {
            if let Some(child) = self.nodes.get(edge.child as usize).filter(|child| child.visits > 0) {
                let estimate = child.estimate();
                sum.value += edge.prior * estimate.value;
                sum.draw += edge.prior * estimate.draw;
                weight += edge.prior;
            }
        }
        if weight > 0.0 {
            Estimate { value: sum.value / weight, draw: sum.draw / weight }
        } else {
            Estimate::default()
        }
    }

    /// The proven value of a node, and how much of it is draws: as in the child that proves it, or on average over a chance node's.
    fn proven_estimate(&self, node: &Node) -> Estimate {
        let value = node.proven_value();
        let draw = match node.kind {
            Kind::Over => node.estimate().draw,
            Kind::Chance => self.expectation(node).draw,
            Kind::Player(_) => self
                .edges_of(node)
                .iter()
                .filter_map(|edge| self.nodes.get(edge.child as usize))
                .find(|child| child.is_proven() && (child.proven_value() - value).abs() < EPSILON)
                .map_or(0.0, |child| child.estimate().draw),
        };
        Estimate { value, draw }
    }

    /// Updates the bounds from the children; returns whether they changed.
    fn narrow(&mut self, at: u32) -> bool {
        let node = self.node(at);
        let bounds = |edge: &Edge<G::Action>| {
            self.nodes.get(edge.child as usize).map_or((-1.0, 1.0), |child| (child.low, child.high))
        };
        let children = self.edges_of(node).iter();
        let (low, high) = match node.kind {
            Kind::Player(Color::White) => children
                .map(bounds)
                .fold((-1.0, -1.0), |best, bounds| (f64::max(best.0, bounds.0), f64::max(best.1, bounds.1))),
            Kind::Player(Color::Black) => children
                .map(bounds)
                .fold((1.0, 1.0), |best, bounds| (f64::min(best.0, bounds.0), f64::min(best.1, bounds.1))),
            Kind::Chance => children.fold((0.0, 0.0), |sum, edge| {
                let (low, high) = bounds(edge);
                (sum.0 + edge.prior * low, sum.1 + edge.prior * high)
            }),
            Kind::Over => (node.low, node.high),
        };
        let node = &mut self.nodes[at as usize];
        let changed = low > node.low || high < node.high;
        (node.low, node.high) = (node.low.max(low), node.high.min(high));
        changed
    }
}

/// Result of a finished game for White.
fn estimate_of(outcome: Outcome) -> Estimate {
    match outcome.winner {
        Some(_) => Estimate { value: 2.0 * outcome.points(Color::White) - 1.0, draw: 0.0 },
        None => Estimate::DRAW,
    }
}

fn times(estimate: Estimate, visits: u32) -> Estimate {
    let visits = f64::from(visits);
    Estimate { value: estimate.value * visits, draw: estimate.draw * visits }
}

fn difference(a: Estimate, b: Estimate) -> Estimate {
    Estimate { value: a.value - b.value, draw: a.draw - b.draw }
}

fn priors(count: usize, given: &[f32]) -> Vec<f64> {
    debug_assert!(given.is_empty() || given.len() == count, "{} priors for {count} actions", given.len());
    let mut priors: Vec<f64> =
        (0..count).map(|at| given.get(at).map_or(0.0, |prior| f64::from(prior.max(0.0)))).collect();
    let sum: f64 = priors.iter().sum();
    if sum > 0.0 && sum.is_finite() {
        for prior in &mut priors {
            *prior /= sum;
        }
    } else {
        priors.fill(1.0 / count.max(1) as f64);
    }
    priors
}
