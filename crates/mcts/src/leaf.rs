//! The path from the root to a leaf, and the game state there.

use tabia_core::{Game, Turn};

/// A selected path that ends at an unexpanded edge; empty for an unexpanded root.
#[derive(Clone, Debug)]
pub struct Path<G: Game> {
    /// Nodes and the edges taken, from the root.
    pub(crate) steps: Vec<(u32, u32)>,
    /// The actions of those edges.
    pub(crate) actions: Vec<G::Action>,
    /// The last cached state on the path, and the number of actions that lead to it.
    pub(crate) kept: Option<(usize, G)>,
}

/// A chance event between the last edge and the evaluated state.
#[derive(Clone, Debug)]
pub(crate) struct ChanceStep<A> {
    pub(crate) outcomes: Vec<(A, f64)>,
    pub(crate) taken: usize,
}

/// A leaf to be evaluated.
#[derive(Clone, Debug)]
pub struct Leaf<G: Game> {
    /// The state: a player is to move, or the game is over.
    pub game: G,
    pub(crate) path: Path<G>,
    pub(crate) chances: Vec<ChanceStep<G::Action>>,
    pub(crate) actions: Vec<G::Action>,
}

impl<G: Game> Path<G> {
    /// Plays the path's actions. Chance events at its end take their most likely outcome.
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
    /// Whether it needs an evaluation; a finished game has a result.
    pub fn needs_evaluation(&self) -> bool {
        matches!(self.game.turn(), Turn::Player(_))
    }

    /// Legal actions, in the order of the priors.
    pub fn actions(&self) -> &[G::Action] {
        &self.actions
    }
}

fn likeliest<A>(outcomes: &[(A, f64)]) -> usize {
    let mut best = 0;
    for (at, (_, probability)) in outcomes.iter().enumerate() {
        if *probability > outcomes[best].1 {
            best = at;
        }
    }
    best
}
