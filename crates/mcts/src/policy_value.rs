//! The evaluator of leaves: a network or a handcrafted function.

use tabia_core::Game;

use crate::estimate::Estimate;

/// The evaluation of a leaf.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// Value for the side to move, win less loss: 1 a win, 0 even, -1 a loss.
    pub value: f32,
    /// Probability of a draw; 0 from an evaluator that does not tell draws from even chances.
    pub draw: f32,
    /// Prior of each action, in the order of the actions. They need not sum to one; if all are zero or missing, they are
    /// uniform.
    pub priors: Vec<f32>,
}

impl Evaluation {
    /// Its win, draw and loss probabilities.
    pub fn estimate(&self) -> Estimate {
        Estimate::new(f64::from(self.value), f64::from(self.draw))
    }
}

/// Evaluates states in which a player is to move, in batches.
///
/// ```
/// use tabia_core::{ChessGame, Game};
/// use tabia_mcts::{Evaluation, PolicyValue};
///
/// /// Every position is even, every move is equally likely.
/// struct Uniform;
///
/// impl PolicyValue<ChessGame> for Uniform {
///     fn infer(
///         &self,
///         leaves: &[ChessGame],
///         _: &[Vec<shakmaty::Move>],
///         out: &mut Vec<Evaluation>,
///     ) {
///         out.clear();
///         out.resize(leaves.len(), Evaluation::default());
///     }
/// }
///
/// let mut out = Vec::new();
/// Uniform.infer(&[ChessGame::default()], &[Vec::new()], &mut out);
/// assert_eq!(out.len(), 1);
/// ```
pub trait PolicyValue<G: Game>: Send + Sync {
    /// Replaces `out` by one evaluation for each leaf, in their order. `actions` are those of each leaf, as [`Game::actions`] lists them:
    /// the search needs them anyway.
    fn infer(&self, leaves: &[G], actions: &[Vec<G::Action>], out: &mut Vec<Evaluation>);

    /// Why evaluations cannot be trusted any more. An evaluator outside this process can fail; what it left in `out` then counts for
    /// nothing, and the search ends. A failure is for good: a new evaluator has to be made.
    fn failure(&self) -> Option<String> {
        None
    }
}

impl<G: Game, P: PolicyValue<G> + ?Sized> PolicyValue<G> for &P {
    fn infer(&self, leaves: &[G], actions: &[Vec<G::Action>], out: &mut Vec<Evaluation>) {
        (**self).infer(leaves, actions, out);
    }

    fn failure(&self) -> Option<String> {
        (**self).failure()
    }
}

impl<G: Game, P: PolicyValue<G> + ?Sized> PolicyValue<G> for Box<P> {
    fn infer(&self, leaves: &[G], actions: &[Vec<G::Action>], out: &mut Vec<Evaluation>) {
        (**self).infer(leaves, actions, out);
    }

    fn failure(&self) -> Option<String> {
        (**self).failure()
    }
}

impl<G: Game, P: PolicyValue<G> + ?Sized> PolicyValue<G> for std::sync::Arc<P> {
    fn infer(&self, leaves: &[G], actions: &[Vec<G::Action>], out: &mut Vec<Evaluation>) {
        (**self).infer(leaves, actions, out);
    }

    fn failure(&self) -> Option<String> {
        (**self).failure()
    }
}
