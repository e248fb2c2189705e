//! The search tree.
//!
//! All values are White's, so that signs do not alternate. A node has the average of what was found below it, as an [`Estimate`] of
//! win, draw and loss, and a lower and an upper bound on the true value. Bounds come from finished games
//! alone. A player takes the best of the children's, chance the expectation; where both bounds meet, the node is proven, its
//! average is that value, and it is not searched further. So forced wins are proven, and so are exact probabilities of a win.
//!
//! Averages: a player's node has its own first value and those of all visits below. A chance node has the average over its
//! visited outcomes weighted by their probabilities; how often each was visited decides only how well its own average is known.
//! A proven node has the chances of its best child or, where chance decides, the expectation over all outcomes.
//! What changes at a node is handed upwards as a difference of sums, so that every node's sum is exactly that of its parts.

mod backup;
mod reuse;
mod selection;

use shakmaty::Color;
use tabia_core::Game;

use crate::estimate::Estimate;
use crate::leaf::Path;
use crate::settings::Settings;

/// Tolerance of bounds: sums of probabilities are rounded.
const EPSILON: f64 = 1e-9;
const NONE: u32 = u32::MAX;

#[derive(Copy, Clone, Debug, PartialEq)]
enum Kind {
    Player(Color),
    Chance,
    Over,
}

#[derive(Clone, Debug)]
struct Node {
    kind: Kind,
    first_edge: u32,
    edges: u32,
    visits: u32,
    /// Selected but not yet backpropagated visits (virtual losses).
    in_flight: u32,
    /// Sum of the visits' estimates.
    sum: Estimate,
    low: f64,
    high: f64,
}

#[derive(Clone, Debug)]
struct Edge<A> {
    action: A,
    /// A player's prior, or a probability.
    prior: f64,
    child: u32,
    /// The child is selected and not yet expanded.
    pending: bool,
}

/// The result of a selection.
#[derive(Clone, Debug)]
pub enum Selection<G: Game> {
    /// A leaf to evaluate and [expand](Tree::expand).
    Leaf(Path<G>),
    /// It ended at a proven node and is already backpropagated.
    Finished,
    /// The best path ends at a leaf that is being evaluated: expand one first.
    Pending,
    /// The root is proven.
    Proven,
    /// The memory limit is reached.
    Full,
}

/// Statistics of an action at the root.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct RootAction<A> {
    pub action: A,
    pub visits: u32,
    /// Mean value for the side to move; `None` if unvisited.
    pub value: Option<f64>,
    /// Mean probability of a draw; 0 if unvisited.
    pub draw: f64,
    /// Proven bounds of the value for the side to move.
    pub bounds: (f64, f64),
    /// Its prior, noise included.
    pub prior: f64,
}

/// A search tree over a state of a game.
#[derive(Clone, Debug)]
pub struct Tree<G: Game> {
    game: G,
    settings: Settings,
    root: u32,
    /// The root is selected and not yet expanded.
    root_pending: bool,
    nodes: Vec<Node>,
    edges: Vec<Edge<G::Action>>,
    /// Cached states of the first nodes, so that paths need not be replayed from the root.
    states: Vec<Option<Box<G>>>,
    kept_states: usize,
    deepest: u32,
}

impl<G: Game> Tree<G> {
    /// An empty tree for a state in which a player is to move.
    ///
    /// ```
    /// use tabia_core::ChessGame;
    /// use tabia_mcts::{Settings, Tree};
    ///
    /// let tree = Tree::new(ChessGame::default(), Settings::default());
    /// assert_eq!(tree.visits(), 0);
    /// assert!(!tree.is_proven());
    /// ```
    pub fn new(game: G, settings: Settings) -> Tree<G> {
        Tree {
            game,
            settings,
            root: NONE,
            root_pending: false,
            nodes: Vec::new(),
            edges: Vec::new(),
            states: Vec::new(),
            kept_states: 0,
            deepest: 0,
        }
    }

    /// The state at the root.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Finished simulations, including those of a reused tree.
    pub fn visits(&self) -> u32 {
        self.root().map_or(0, |root| root.visits)
    }

    /// Mean value of the root for the side to move.
    pub fn value(&self) -> f64 {
        self.root().map_or(0.0, |root| sign(root.kind) * root.value())
    }

    /// Win, draw and loss probabilities of the root for the side to move.
    pub fn estimate(&self) -> Estimate {
        let draw = self.root().map_or(0.0, |root| root.estimate().draw);
        Estimate { value: self.value(), draw }
    }

    /// Proven bounds of the root's value for the side to move.
    pub fn bounds(&self) -> (f64, f64) {
        self.root().map_or((-1.0, 1.0), |root| root.bounds_for(root.kind))
    }

    /// Whether the root's value is proven.
    pub fn is_proven(&self) -> bool {
        self.root().is_some_and(Node::is_proven)
    }

    /// Length of the longest selected path.
    pub fn deepest(&self) -> u32 {
        self.deepest
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Used share of the memory limit, in thousandths.
    pub fn fullness(&self) -> u32 {
        (self.bytes() as u128 * 1000 / self.capacity().max(1) as u128) as u32
    }

    fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.edges.len() * size_of::<Edge<G::Action>>()
    }

    fn capacity(&self) -> usize {
        self.settings.memory_mb << 20
    }

    fn root(&self) -> Option<&Node> {
        self.nodes.get(self.root as usize)
    }

    fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    fn edges_of(&self, node: &Node) -> &[Edge<G::Action>] {
        &self.edges[node.first_edge as usize..(node.first_edge + node.edges) as usize]
    }

    /// The actions at the root, in the game's order; none before the first simulation.
    pub fn root_actions(&self) -> Vec<RootAction<G::Action>> {
        let Some(root) = self.root() else { return Vec::new() };
        let of = |edge: &Edge<G::Action>| {
            let child = self.nodes.get(edge.child as usize);
            RootAction {
                action: edge.action,
                visits: child.map_or(0, |child| child.visits),
                value: child.map(|child| sign(root.kind) * child.value()),
                draw: child.map_or(0.0, |child| child.estimate().draw),
                bounds: child.map_or((-1.0, 1.0), |child| child.bounds_for(root.kind)),
                prior: edge.prior,
            }
        };
        self.edges_of(root).iter().map(of).collect()
    }

    /// Mixes noise into the root's priors: one number for each action.
    pub fn mix_noise(&mut self, noise: &[f64], share: f64) {
        let Some(root) = self.root() else { return };
        let range = root.first_edge as usize..(root.first_edge + root.edges) as usize;
        for (edge, noise) in self.edges[range].iter_mut().zip(noise) {
            edge.prior = (1.0 - share) * edge.prior + share * noise;
        }
    }

    /// The node after these actions and outcomes.
    fn node_after(&self, path: &[G::Action]) -> Option<u32> {
        let mut at = self.root;
        for action in path {
            let node = self.nodes.get(at as usize)?;
            at = self.edges_of(node).iter().find(|edge| edge.action == *action)?.child;
        }
        (at != NONE).then_some(at)
    }

    /// Visits and estimate after these actions and outcomes, for the side to move at the root; `None` if they were not searched.
    pub fn estimate_after(&self, path: &[G::Action]) -> Option<(u32, Estimate)> {
        let (node, root) = (self.node(self.node_after(path)?), self.root()?);
        let estimate = node.estimate();
        Some((node.visits, if sign(root.kind) < 0.0 { estimate.flipped() } else { estimate }))
    }

    /// The principal variation: proven or most visited actions, most likely outcomes.
    pub fn best_line(&self) -> Vec<G::Action> {
        self.line_from(self.root)
    }

    /// The principal variation after these actions and outcomes.
    pub fn best_line_after(&self, path: &[G::Action]) -> Vec<G::Action> {
        self.node_after(path).map_or_else(Vec::new, |at| self.line_from(at))
    }

    fn line_from(&self, mut at: u32) -> Vec<G::Action> {
        let mut line = Vec::new();
        while let Some(node) = self.nodes.get(at as usize) {
            let rank = |edge: &Edge<G::Action>| {
                let child = self.node(edge.child);
                match node.kind {
                    Kind::Chance => (edge.prior, child.visits),
                    Kind::Player(_) | Kind::Over => (node.rank(child), child.visits),
                }
            };
            let visited = self.edges_of(node).iter().filter(|edge| edge.child != NONE);
            let Some(edge) = visited.reduce(|best, edge| if rank(edge) > rank(best) { edge } else { best })
            else {
                break;
            };
            line.push(edge.action);
            at = edge.child;
        }
        line
    }
}

impl Node {
    fn value(&self) -> f64 {
        self.estimate().value
    }

    fn estimate(&self) -> Estimate {
        let visits = f64::from(self.visits.max(1));
        Estimate { value: self.sum.value / visits, draw: self.sum.draw / visits }
    }

    fn is_proven(&self) -> bool {
        self.high - self.low < EPSILON
    }

    fn proven_value(&self) -> f64 {
        f64::midpoint(self.low, self.high)
    }

    /// Order of children: proven best first, proven inferior last.
    fn rank(&self, child: &Node) -> f64 {
        let (low, high) = child.bounds_for(self.kind);
        let (best_low, _) = self.bounds_for(self.kind);
        if self.is_proven() && child.is_proven() && low >= best_low - EPSILON {
            1.0
        } else if high < best_low - EPSILON || high <= -1.0 + EPSILON {
            -1.0
        } else {
            0.0
        }
    }

    /// Bounds from the perspective of a node's player.
    fn bounds_for(&self, kind: Kind) -> (f64, f64) {
        match kind {
            Kind::Player(Color::Black) => (-self.high, -self.low),
            _ => (self.low, self.high),
        }
    }
}

fn sign(kind: Kind) -> f64 {
    if kind == Kind::Player(Color::Black) { -1.0 } else { 1.0 }
}
