//! Endings against a bare king, valued by rule and not by a network.
//!
//! A network learns from games, and in games such endings are rare: they are resigned or cut off. The one that comes with the program
//! gives king and queen against king a third of a win, so a search with it takes a coin flip for the king, where patience wins, and
//! values king and bishop against king as if it could be lost. Two facts mend both. Against a bare king
//!
//! - a queen or a rook wins: by retrograde analysis of the moves without splits, from every position with White to move;
//! - a single bishop or knight draws: there is no check, and stalemate is no draw but loses the king, yet a king lets itself be
//!   driven into a corner in 1 position of 100.
//!
//! [`WithEndings`] values these positions by hand, priors included, and leaves all others to its evaluator. Whoever has the bare
//! king cannot win but by taking the other king, which the search sees: what is not won is drawn.

use shakmaty::{Board, Color};
use tabia_mcts::{Evaluation, PolicyValue};

use crate::action::Action;
use crate::evaluate;
use crate::game::QuantumGame;

/// An ending whose result is known.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// This side has a queen or a rook against a bare king in every branch.
    Won(Color),
    /// A bare king against at most one bishop or knight in every branch.
    Drawn,
}

/// The ending that a state is, if its result is known.
///
/// ```
/// use shakmaty::Color;
/// use tabia_quantum::endings::{Ending, ending};
///
/// let ending = |text: &str| ending(&text.parse().unwrap());
/// assert_eq!(ending("4k3/8/8/8/8/8/8/3QK3 w - - 0 1"), Some(Ending::Won(Color::White)));
/// assert_eq!(ending("4kb2/8/8/8/8/8/8/4K3 w - - 0 1"), Some(Ending::Drawn));
/// assert_eq!(ending("4k3/4p3/8/8/8/8/8/3QK3 w - - 0 1"), None);
/// ```
pub fn ending(game: &QuantumGame) -> Option<Ending> {
    let all = |holds: &dyn Fn(&Board) -> bool| game.branches.iter().all(|branch| holds(branch.board()));
    let bare = Color::ALL.into_iter().find(|color| all(&|board| board.by_color(*color).count() == 1))?;
    let strong = bare.other();
    if all(&|board| (board.rooks_and_queens() & board.by_color(strong)).any()) {
        return Some(Ending::Won(strong));
    }
    let is_minor = |board: &Board| {
        let pieces = board.by_color(strong);
        pieces.count() <= 2 && (pieces & !board.knights() & !board.bishops()).count() == 1
    };
    all(&is_minor).then_some(Ending::Drawn)
}

/// The evaluation of a state whose ending is known.
fn evaluation(game: &QuantumGame, actions: &[Action]) -> Option<Evaluation> {
    let ending = ending(game)?;
    let mut priors = Vec::with_capacity(actions.len());
    evaluate::priors(game, actions, &mut priors);
    let value = match ending {
        Ending::Won(_) => evaluate::value(game) as f32,
        Ending::Drawn => 0.0,
    };
    Some(Evaluation { value, draw: 1.0 - value.abs(), priors })
}

/// An evaluator that knows endings against a bare king.
#[derive(Copy, Clone, Debug, Default)]
pub struct WithEndings<P>(pub P);

impl<P: PolicyValue<QuantumGame>> PolicyValue<QuantumGame> for WithEndings<P> {
    fn infer(&self, leaves: &[QuantumGame], actions: &[Vec<Action>], out: &mut Vec<Evaluation>) {
        let known: Vec<Option<Evaluation>> =
            leaves.iter().zip(actions).map(|(game, actions)| evaluation(game, actions)).collect();
        if known.iter().all(Option::is_none) {
            self.0.infer(leaves, actions, out);
            return;
        }
        let open = |at: &usize| known[*at].is_none();
        let games: Vec<QuantumGame> = (0..leaves.len()).filter(open).map(|at| leaves[at].clone()).collect();
        let open_actions: Vec<Vec<Action>> =
            (0..leaves.len()).filter(open).map(|at| actions[at].clone()).collect();
        let mut inferred = Vec::new();
        if !games.is_empty() {
            self.0.infer(&games, &open_actions, &mut inferred);
        }
        let mut inferred = inferred.into_iter();
        out.clear();
        out.extend(known.into_iter().filter_map(|known| known.or_else(|| inferred.next())));
    }

    fn failure(&self) -> Option<String> {
        self.0.failure()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::{Agent, Limits, Stop};
    use tabia_mcts::{Mcts, Settings, Tree, search};

    /// A network that knows nothing of endings: White wins 39 in a hundred, Black 33, the rest is drawn.
    struct Pessimist(f32);

    impl PolicyValue<QuantumGame> for Pessimist {
        fn infer(&self, leaves: &[QuantumGame], actions: &[Vec<Action>], out: &mut Vec<Evaluation>) {
            out.clear();
            out.extend(leaves.iter().zip(actions).map(|(game, actions)| Evaluation {
                value: game.side_to_move().fold_wb(self.0, -self.0),
                draw: 0.28,
                priors: vec![1.0; actions.len()],
            }));
        }
    }

    fn chosen(evaluator: impl PolicyValue<QuantumGame>, position: &str) -> String {
        let game: QuantumGame = position.parse().unwrap();
        let mut agent = Mcts::new(evaluator, Settings::default(), Some(400), 1, QuantumGame::ply);
        agent.choose(&game, &Limits::default(), &Stop::new(), &mut |_| {}).unwrap().to_string()
    }

    #[test]
    fn a_won_ending_is_not_risked_on_a_coin_flip() {
        // The king is on e8 or d7. Taking it on e8 wins half of the time, and loses the queen to it otherwise.
        let position = "w 0 2: 1*4k3/8/8/7Q/8/8/8/4K3 - - + 1*8/3k4/8/7Q/8/8/8/4K3 - -";
        assert_eq!(chosen(Pessimist(0.36), position), "h5e8");
        assert_ne!(chosen(WithEndings(Pessimist(0.36)), position), "h5e8");
    }

    #[test]
    fn king_and_bishop_against_king_is_a_draw_to_the_search() {
        let estimate = |evaluator: &dyn PolicyValue<QuantumGame>| {
            let game: QuantumGame = "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1".parse().unwrap();
            let mut tree = Tree::new(game, Settings::default());
            search(&mut tree, evaluator, 1, 8, &Limits::nodes(400), &Stop::new(), &mut |_| {});
            tree.estimate().wdl()
        };
        let [_, draw, loss] = estimate(&Pessimist(0.06));
        assert!(draw < 0.5 && loss > 0.2, "{draw} {loss}");
        let [win, draw, loss] = estimate(&WithEndings(Pessimist(0.06)));
        assert!(draw > 0.95 && win < 0.05 && loss < 0.05, "{win} {draw} {loss}");
    }

    #[test]
    fn known_and_other_positions_come_back_in_their_order() {
        let texts = ["4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", "4k3/4p3/8/8/8/8/8/2B1K3 b - - 0 1"];
        let games: Vec<QuantumGame> = [0, 1, 0, 1].map(|at: usize| texts[at].parse().unwrap()).into();
        let actions: Vec<Vec<Action>> = games
            .iter()
            .map(|game| {
                let mut actions = Vec::new();
                tabia_core::Game::actions(game, &mut actions);
                actions
            })
            .collect();
        let mut out = Vec::new();
        WithEndings(Pessimist(0.5)).infer(&games, &actions, &mut out);
        assert_eq!(out.iter().map(|e| e.value).collect::<Vec<_>>(), [0.0, -0.5, 0.0, -0.5]);
        assert!(out.iter().zip(&actions).all(|(e, actions)| e.priors.len() == actions.len()));
    }

    #[test]
    fn entangled_material_is_known_only_where_every_branch_agrees() {
        let ending = |text: &str| ending(&text.parse().unwrap());
        let branches = "w 0 1: 1*4k3/8/8/8/8/8/8/3QK3 - - + 1*4k3/8/8/8/8/8/8/2B1K3 - -";
        assert_eq!(ending(branches), None);
        let branches = "w 0 1: 1*4k3/8/8/8/8/8/8/3QK3 - - + 1*4k3/8/8/8/8/8/8/2R1K3 - -";
        assert_eq!(ending(branches), Some(Ending::Won(Color::White)));
        assert_eq!(ending("3nk3/8/8/8/8/8/8/4K3 w - - 0 1"), Some(Ending::Drawn));
        assert_eq!(ending("2nnk3/8/8/8/8/8/8/4K3 w - - 0 1"), None, "two minor pieces may win");
        assert_eq!(ending("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"), None, "a pawn may become a queen");
    }
}
