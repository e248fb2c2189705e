//! The trait every evaluation implements.

use shakmaty::Color;
use tabia_core::Score;

use crate::explain::Explanation;
use crate::view::View;

/// Values a position without looking ahead.
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
    /// The position's worth in White's view.
    fn evaluate(&mut self, view: View<'_>) -> Score;

    /// The same worth taken apart; its terms sum to [`Evaluate::evaluate`].
    fn explain(&self, view: View<'_>) -> Explanation;

    /// A search makes a move: positions evaluated until [`Evaluate::pop`] come after it. For evaluations that keep something
    /// for every ply; what is evaluated must not depend on it.
    #[inline]
    fn push(&mut self) {}

    /// The move is taken back.
    #[inline]
    fn pop(&mut self) {}

    /// Another search begins, at its root.
    #[inline]
    fn restart(&mut self) {}

    /// The position's worth for the side to move.
    fn relative(&mut self, view: View<'_>) -> Score {
        let score = self.evaluate(view);
        match view.turn {
            Color::White => score,
            Color::Black => -score,
        }
    }
}
