//! The way from the root to a leaf, and the state of the game there.

use tabia_core::{Game, Turn};

/// A way down the tree that ends at an edge nobody has gone before; at the root, an empty one.
#[derive(Clone, Debug)]
pub struct Path<G: Game> {
    /// Nodes and the edges taken from them, from the root on.
    pub(crate) steps: Vec<(u32, u32)>,
    /// The actions of those edges.
    pub(crate) actions: Vec<G::Action>,
    /// The nearest state to the end that the tree has kept, and how many of the actions lead there.
    pub(crate) kept: Option<(usize, G)>,
}

/// Chance events between the last edge and the state that is valued.
#[derive(Clone, Debug)]
pub(crate) struct ChanceStep<A> {
    pub(crate) outcomes: Vec<(A, f64)>,
    pub(crate) taken: usize,
}

/// A leaf to be valued.
#[derive(Clone, Debug)]
pub struct Leaf<G: Game> {
    /// The state: a player is to move, or the game is over.
    pub game: G,
    pub(crate) path: Path<G>,
    pub(crate) chances: Vec<ChanceStep<G::Action>>,
    pub(crate) actions: Vec<G::Action>,
}

impl<G: Game> Path<G> {
    /// Goes the way from the root's state. Where chance acts at its end, the likeliest outcomes are taken.
    pub fn follow(mut self, root: &G) -> Leaf<G> {
        let (done, mut game) = self.kept.take().unwrap_or_else(|| (0, root.clone()));
        for action in &self.actions[done..] {
            game.apply(*action);
        }
        let mut chances = Vec::new();
        while game.turn() == Turn::Chance {
            let mut outcomes = Vec::new();
            game.chances(&mut outcomes);
            let taken = likeliest(&outcomes);
            game.apply(outcomes[taken].0);
            chances.push(ChanceStep { outcomes, taken });
        }
        let mut actions = Vec::new();
        game.actions(&mut actions);
        Leaf { game, path: self, chances, actions }
    }
}

impl<G: Game> Leaf<G> {
    /// Whether somebody must say what it is worth; a finished game says so itself.
    pub fn needs_verdict(&self) -> bool {
        matches!(self.game.turn(), Turn::Player(_))
    }

    /// What can be done there, in the order of the priors.
    pub fn actions(&self) -> &[G::Action] {
        &self.actions
    }
}

/// The first of the outcomes with the highest probability.
fn likeliest<A>(outcomes: &[(A, f64)]) -> usize {
    let mut best = 0;
    for (at, (_, probability)) in outcomes.iter().enumerate() {
        if *probability > outcomes[best].1 {
            best = at;
        }
    }
    best
}
