//! The trait every evaluation implements.

use shakmaty::Color;
use tabia_core::Score;

use crate::explain::Explanation;
use crate::view::View;

/// Static evaluation of a position.
///
/// A search is generic over this trait, so that the call is static where it is hot. `evaluate` may keep caches,
/// hence `&mut self`; it must not depend on them: the same view always gives the same score.
///
/// ```
/// use shakmaty::Chess;
/// use tabia_eval::{Evaluate, View, pst::Pst};
///
/// let position = Chess::default();
/// let view = View::from(&position);
/// assert_eq!(Pst.evaluate(view).raw(), Pst.explain(view).sum());
/// ```
pub trait Evaluate: Clone + Send {
    /// The score in White's view.
    fn evaluate(&mut self, view: View<'_>) -> Score;

    /// The same score broken down; its terms sum to [`Evaluate::evaluate`].
    fn explain(&self, view: View<'_>) -> Explanation;

    /// A search made a move: positions evaluated until [`Evaluate::pop`] come after it. For evaluations with
    /// incrementally updated state; a score must not depend on it.
    #[inline]
    fn push(&mut self) {}

    /// The search took the move back.
    #[inline]
    fn pop(&mut self) {}

    /// A new search starts at its root.
    #[inline]
    fn restart(&mut self) {}

    /// The score from the side to move's view.
    fn relative(&mut self, view: View<'_>) -> Score {
        let score = self.evaluate(view);
        match view.turn {
            Color::White => score,
            Color::Black => -score,
        }
    }
}
