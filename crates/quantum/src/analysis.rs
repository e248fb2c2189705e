//! Analysis of a state by search: the best actions, what they are worth, the expected line, and what each measurement would do.

use tabia_core::{Game, Limits, Stop, Turn};
use tabia_mcts::{Estimate, PolicyValue, Settings, Tree, search};

use crate::action::{Action, Move};
use crate::game::QuantumGame;
use crate::odds::Odds;

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Simulations made.
    pub simulations: u32,
    /// Whether the value is proven.
    pub is_proven: bool,
    /// Win, draw and loss for the side to move.
    pub estimate: Estimate,
    /// The legal moves, best first.
    pub moves: Vec<MoveAnalysis>,
}

/// A move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveAnalysis {
    /// The move.
    pub m: Move,
    /// As it is written in this state.
    pub text: String,
    /// Visits.
    pub visits: u32,
    /// The evaluator's prior.
    pub prior: f64,
    /// Win, draw and loss for the side to move; `None` if it was not searched.
    pub estimate: Option<Estimate>,
    /// What it may come to.
    pub odds: Odds,
    /// What is measured, one for each result; empty where nothing is.
    pub outcomes: Vec<MeasuredOutcome>,
    /// The expected line, with the likeliest results of measurements.
    pub line: Vec<String>,
}

/// A result of a move's measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredOutcome {
    /// The ply as a record keeps it: `d1d5+`.
    pub text: String,
    /// What the measurements show, in words.
    pub told: Vec<String>,
    /// Its probability.
    pub probability: f64,
    /// Branches that are left.
    pub branches: usize,
    /// Win, draw and loss after it, for the side that moved; `None` if it was not searched.
    pub estimate: Option<Estimate>,
}

/// Searches a state in which a player is to move; `None` if nobody is.
///
/// ```
/// use tabia_core::Stop;
/// use tabia_quantum::agents::HandcraftedEvaluator;
/// use tabia_quantum::{QuantumGame, analysis};
///
/// // The knight is on d5 or on f6.
/// let game: QuantumGame =
///     "w 0 2: 1*7k/8/5n2/8/8/8/8/3Q3K - - + 1*7k/8/8/3n4/8/8/8/3Q3K - -".parse()?;
/// let found = analysis::analyze(&game, &HandcraftedEvaluator, 200, 1, &Stop::new()).unwrap();
/// let capture = found.moves.iter().find(|m| m.text == "d1d5").unwrap();
/// assert_eq!(capture.outcomes[0].text, "d1d5+");
/// assert_eq!(capture.outcomes[0].probability, 0.5);
/// # Ok::<(), tabia_quantum::PositionError>(())
/// ```
pub fn analyze(
    game: &QuantumGame,
    evaluator: &dyn PolicyValue<QuantumGame>,
    simulations: u64,
    batch: usize,
    stop: &Stop,
) -> Option<Analysis> {
    if !matches!(game.turn(), Turn::Player(_)) {
        return None;
    }
    let mut tree = Tree::new(game.clone(), Settings::default());
    search(&mut tree, evaluator, 1, batch, &Limits::nodes(simulations), stop, &mut |_| {});
    let mut moves: Vec<(i8, MoveAnalysis)> = Vec::new();
    let best_low = tree.bounds().0;
    for root in tree.root_actions() {
        let Action::Move(m) = root.action else { continue };
        // What is proven best comes first, what is proven worse last; the others as they were visited.
        let rank =
            i8::from(tree.is_proven() && root.bounds.0 >= best_low) - i8::from(root.bounds.1 < best_low);
        moves.push((
            rank,
            MoveAnalysis {
                m,
                text: game.write_move(m),
                visits: root.visits,
                prior: root.prior,
                estimate: root.value.map(|value| Estimate { value, draw: root.draw }),
                odds: game.odds(m),
                outcomes: outcomes(&tree, game, m),
                line: line(&tree, game, m),
            },
        ));
    }
    let value = |m: &MoveAnalysis| m.estimate.map_or(-1.0, |estimate| estimate.value);
    moves.sort_by(|(rank_a, a), (rank_b, b)| {
        rank_b
            .cmp(rank_a)
            .then_with(|| b.visits.cmp(&a.visits))
            .then_with(|| value(b).total_cmp(&value(a)))
            .then_with(|| b.prior.total_cmp(&a.prior))
    });
    Some(Analysis {
        simulations: tree.visits(),
        is_proven: tree.is_proven(),
        estimate: tree.estimate(),
        moves: moves.into_iter().map(|(_, m)| m).collect(),
    })
}

/// Every result of a move's measurements.
fn outcomes(tree: &Tree<QuantumGame>, game: &QuantumGame, m: Move) -> Vec<MeasuredOutcome> {
    let mut found = Vec::new();
    let mut next = game.clone();
    next.apply(Action::Move(m));
    if next.measurement().is_none() {
        return found;
    }
    let first = MeasuredOutcome {
        text: game.write_move(m),
        told: Vec::new(),
        probability: 1.0,
        branches: 0,
        estimate: None,
    };
    let mut open = vec![(next, vec![Action::Move(m)], first)];
    while let Some((state, path, outcome)) = open.pop() {
        let Some(measurement) = state.measurement() else {
            let estimate = tree.estimate_after(&path).map(|(_, estimate)| estimate);
            found.push(MeasuredOutcome { branches: state.branches().len(), estimate, ..outcome });
            continue;
        };
        // The last pushed is looked at first: yes before no.
        for yes in [false, true] {
            let answer = measurement.answer(yes);
            let mut told = outcome.told.clone();
            told.extend(state.tell(answer));
            let text = format!("{}{}", outcome.text, if yes { '+' } else { '-' });
            let probability = outcome.probability * measurement.probability(yes);
            let mut after = state.clone();
            after.apply(answer);
            let path = path.iter().copied().chain([answer]).collect();
            open.push((after, path, MeasuredOutcome { text, told, probability, ..outcome.clone() }));
        }
    }
    found
}

/// The expected line that begins with a move, as records write it.
fn line(tree: &Tree<QuantumGame>, game: &QuantumGame, m: Move) -> Vec<String> {
    let (mut state, mut texts) = (game.clone(), Vec::<String>::new());
    let first = Action::Move(m);
    for action in [first].into_iter().chain(tree.best_line_after(&[first])) {
        match action {
            Action::Move(m) => texts.push(state.write_move(m)),
            Action::Capture(yes) | Action::King(yes) => {
                if let Some(last) = texts.last_mut() {
                    last.push(if yes { '+' } else { '-' });
                }
            }
        }
        state.apply(action);
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::HandcraftedEvaluator;

    fn analysis(position: &str) -> Analysis {
        let game: QuantumGame = position.parse().unwrap();
        analyze(&game, &HandcraftedEvaluator, 600, 1, &Stop::new()).unwrap()
    }

    #[test]
    fn moves_come_best_first_with_their_line() {
        let found = analysis("4k3/8/8/8/q6b/8/8/4QK2 w - - 0 1");
        assert!(found.is_proven && found.estimate.value > 0.999, "the king can be taken");
        assert_eq!((found.moves[0].text.as_str(), &*found.moves[0].line), ("e1e8", &["e1e8".to_owned()][..]));
        assert!(found.moves[0].outcomes.is_empty(), "nothing is measured");
        let found = analysis("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
        assert_eq!(found.simulations, 600);
        assert!(found.moves.windows(2).all(|pair| pair[0].visits >= pair[1].visits));
        assert!(found.moves[0].line.len() > 1);
        let mut game: QuantumGame = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
        for ply in &found.moves[0].line {
            // The last ply may end before its measurement was looked at.
            if game.play_text(ply).is_err() {
                assert_eq!(Some(ply), found.moves[0].line.last());
            }
        }
    }

    #[test]
    fn every_result_of_a_measurement_is_told_with_its_chance_and_worth() {
        // The king is on g8 or h8; the queen may take on h8 what may be there.
        let found = analysis("w 0 1: 1*6k1/8/8/7Q/8/8/8/7K - - + 1*7k/8/8/7Q/8/8/8/7K - -");
        let take = found.moves.iter().find(|m| m.text == "h5h8").unwrap();
        let texts: Vec<&str> = take.outcomes.iter().map(|outcome| outcome.text.as_str()).collect();
        assert_eq!(texts, ["h5h8+", "h5h8-"]);
        assert!((take.outcomes.iter().map(|outcome| outcome.probability).sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(take.outcomes[0].estimate.map(|estimate| estimate.value), Some(1.0));
        assert!(take.outcomes[1].told[0].contains("king"), "{:?}", take.outcomes[1]);
        assert_eq!(take.outcomes[1].branches, 1);
        let over: QuantumGame = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
        assert_eq!(analyze(&over, &HandcraftedEvaluator, 10, 1, &Stop::new()), None);
    }
}
