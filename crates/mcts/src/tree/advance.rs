//! On: to a state further down, keeping what is known of it.

use tabia_core::Game;

use super::{Kind, NONE, Node, Tree};

impl<G: Game> Tree<G> {
    /// Goes on to a state that lies one or a few plies ahead, keeping what is known of it. Tells whether something is.
    ///
    /// Only nodes that were visited are looked at, at most `plies` choices of players down. Without success the tree is empty.
    pub fn advance(&mut self, game: &G, plies: u32) -> bool {
        let found = if self.root == NONE { None } else { self.find(game, plies) };
        let mut next = Tree::new(game.clone(), self.settings);
        if let Some(at) = found {
            next.root = next.copy(self, at);
        }
        *self = next;
        found.is_some()
    }

    /// The visited node with a state's key, nearest to the root.
    fn find(&self, game: &G, plies: u32) -> Option<u32> {
        let (key, turn) = (game.key(), game.turn());
        let mut level = vec![(self.root, self.game.clone(), 0)];
        while !level.is_empty() {
            let mut next = Vec::new();
            for (at, state, depth) in level {
                if state.turn() == turn && state.key() == key {
                    return Some(at);
                }
                let node = self.node(at);
                let depth = depth + u32::from(matches!(node.kind, Kind::Player(_)));
                if depth > plies {
                    continue;
                }
                for edge in self.edges_of(node).iter().filter(|edge| edge.child != NONE) {
                    let mut state = state.clone();
                    state.apply(edge.action);
                    next.push((edge.child, state, depth));
                }
            }
            level = next;
        }
        None
    }

    /// Copies a node of another tree with all below it.
    fn copy(&mut self, from: &Tree<G>, root: u32) -> u32 {
        let mut todo = vec![(root, None)];
        let mut copied_root = NONE;
        while let Some((at, edge)) = todo.pop() {
            let node = from.node(at);
            let edges = from.edges_of(node).iter().map(|edge| (edge.action, edge.prior));
            let copy = self.add(node.kind, edges, edge);
            copied_root = if copied_root == NONE { copy } else { copied_root };
            let first_edge = self.node(copy).first_edge;
            self.nodes[copy as usize] = Node { first_edge, in_flight: 0, ..node.clone() };
            for (offset, edge) in from.edges_of(node).iter().enumerate() {
                if edge.child != NONE {
                    todo.push((edge.child, Some(first_edge + offset as u32)));
                }
            }
        }
        copied_root
    }
}
