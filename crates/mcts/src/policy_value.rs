//! Who values leaves: a network, or a function made by hand.

use tabia_core::Game;

/// What there is to say of one leaf.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// What it is worth to the side to move: 1 a win, 0 a draw, -1 a loss.
    pub value: f32,
    /// How promising each action is, in the order of the actions. They need not sum to one; if all are zero, or
    /// there are none, all actions count alike.
    pub priors: Vec<f32>,
}

/// Values states in which a player is to move, many at a time.
pub trait PolicyValue<G: Game>: Send + Sync {
    /// Replaces `out` by one verdict for each leaf, in their order. `actions` are those of each leaf, as [`Game::actions`] lists them:
    /// the search needs them anyway.
    fn infer(&self, leaves: &[G], actions: &[Vec<G::Action>], out: &mut Vec<Verdict>);
}

impl<G: Game, P: PolicyValue<G> + ?Sized> PolicyValue<G> for &P {
    fn infer(&self, leaves: &[G], actions: &[Vec<G::Action>], out: &mut Vec<Verdict>) {
        (**self).infer(leaves, actions, out);
    }
}

impl<G: Game, P: PolicyValue<G> + ?Sized> PolicyValue<G> for Box<P> {
    fn infer(&self, leaves: &[G], actions: &[Vec<G::Action>], out: &mut Vec<Verdict>) {
        (**self).infer(leaves, actions, out);
    }
}

impl<G: Game, P: PolicyValue<G> + ?Sized> PolicyValue<G> for std::sync::Arc<P> {
    fn infer(&self, leaves: &[G], actions: &[Vec<G::Action>], out: &mut Vec<Verdict>) {
        (**self).infer(leaves, actions, out);
    }
}
