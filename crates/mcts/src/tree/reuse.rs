//! Tree reuse: keeps the subtree of a later state.

use tabia_core::Game;

use super::{Kind, NONE, Node, Tree};

impl<G: Game> Tree<G> {
    /// Moves the root to a state a few plies ahead, keeping its subtree. Returns whether it was found.
    ///
    /// Only visited nodes are searched, at most `plies` player nodes deep. If the state is not found the tree is empty.
    pub fn advance(&mut self, game: &G, plies: u32) -> bool {
        let found = if self.root == NONE { None } else { self.find(game, plies) };
        let mut next = Tree::new(game.clone(), self.settings);
        if let Some(at) = found {
            next.root = next.copy(self, at);
        }
        *self = next;
        found.is_some()
    }

    fn find(&self, game: &G, plies: u32) -> Option<u32> {
        let wanted = |state: &G| state.turn() == game.turn() && state.key() == game.key();
        if wanted(&self.game) {
            Some(self.root)
        } else {
            self.find_below(self.root, &self.game, plies, &wanted)
        }
    }

    fn find_below(&self, at: u32, state: &G, plies: u32, wanted: &dyn Fn(&G) -> bool) -> Option<u32> {
        let node = self.node(at);
        let plies = match node.kind {
            Kind::Player(_) => plies.checked_sub(1)?,
            Kind::Chance | Kind::Over => plies,
        };
        self.edges_of(node).iter().filter(|edge| edge.child != NONE).find_map(|edge| {
            let made;
            let state = if let Some(kept) = &self.states[edge.child as usize] {
                &**kept
            } else {
                let mut next = state.clone();
                next.apply(edge.action);
                made = next;
                &made
            };
            if wanted(state) { Some(edge.child) } else { self.find_below(edge.child, state, plies, wanted) }
        })
    }

    /// Copies a subtree of another tree.
    fn copy(&mut self, from: &mut Tree<G>, root: u32) -> u32 {
        let mut todo = vec![(root, None)];
        let mut copied_root = NONE;
        while let Some((at, edge)) = todo.pop() {
            let node = from.node(at).clone();
            let edges = from.edges_of(&node).iter().map(|edge| (edge.action, edge.prior));
            let copy = self.add(node.kind, edges, edge);
            self.states[copy as usize] = from.states[at as usize].take();
            self.kept_states += usize::from(self.states[copy as usize].is_some());
            copied_root = if copied_root == NONE { copy } else { copied_root };
            let first_edge = self.node(copy).first_edge;
            self.nodes[copy as usize] = Node { first_edge, in_flight: 0, ..node.clone() };
            for (offset, edge) in from.edges_of(&node).iter().enumerate() {
                if edge.child != NONE {
                    todo.push((edge.child, Some(first_edge + offset as u32)));
                }
            }
        }
        copied_root
    }
}
