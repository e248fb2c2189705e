//! Groups the terms of an evaluation under the headings of a chess book.
//!
//! Every term of [`tabia_eval`]'s `field` belongs to one heading, so that the headings sum to what the terms sum to. A
//! term that is not known here is counted under [`Heading::Other`]: nothing is lost.

use std::collections::BTreeMap;
use std::fmt;

use shakmaty::{Chess, Color, Position};
use tabia_eval::field::FieldEval;
use tabia_eval::{Evaluate, View};

use crate::structure::{self, Fact};

/// What a chess book would call a group of terms.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Heading {
    /// Pieces and pawns.
    Material,
    /// Shelter, storms, open files and attackers at the king.
    KingSafety,
    /// Isolated, doubled, backward and supported pawns.
    PawnStructure,
    /// Where pieces stand and where they can go.
    PieceActivity,
    /// Passed pawns and their way.
    PassedPawns,
    /// Control of squares.
    Space,
    /// Threats and the move.
    Initiative,
    /// How the pieces work together.
    Coordination,
    /// Anything else.
    Other,
}

impl Heading {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Heading; 9] = [
        Heading::Material,
        Heading::KingSafety,
        Heading::PawnStructure,
        Heading::PieceActivity,
        Heading::PassedPawns,
        Heading::Space,
        Heading::Initiative,
        Heading::Coordination,
        Heading::Other,
    ];

    /// Its name in documents: `king safety`.
    pub const fn name(self) -> &'static str {
        match self {
            Heading::Material => "material",
            Heading::KingSafety => "king safety",
            Heading::PawnStructure => "pawn structure",
            Heading::PieceActivity => "piece activity",
            Heading::PassedPawns => "passed pawns",
            Heading::Space => "space",
            Heading::Initiative => "initiative",
            Heading::Coordination => "piece coordination",
            Heading::Other => "other",
        }
    }

    /// The heading of a term by its name.
    pub fn of(term: &str) -> Heading {
        let has = |words: &[&str]| words.iter().any(|word| term.contains(word));
        match () {
            () if has(&["material", "bishop pair", "pieces and pawns"]) => Heading::Material,
            () if has(&["passed", "unstoppable"]) => Heading::PassedPawns,
            () if has(&[
                "threat",
                "pinned",
                "attacked twice",
                "guarded by the queen",
                "chase",
                "discover",
            ]) || has(&["lines to the queen", "tempo"]) =>
            {
                Heading::Initiative
            }
            () if has(&["isolated", "doubled pawns", "backward", "side by side", "supported"])
                || has(&["blocked pawns", "islands", "width", "majorit"]) =>
            {
                Heading::PawnStructure
            }
            () if has(&["space", "control", "restriction"]) => Heading::Space,
            () if has(&["interplay", "interaction", "hidden"]) => Heading::Coordination,
            () if has(&["placement", "approach", "piece-square", "nearest own pawn"]) => {
                Heading::PieceActivity
            }
            () if has(&["king", "castling", "storm", "shelter"]) => Heading::KingSafety,
            () if has(&["mobility", "outpost", "bishop", "rook", "knight", "queen", "reach"])
                || has(&["guarded", "behind a pawn"]) =>
            {
                Heading::PieceActivity
            }
            () => Heading::Other,
        }
    }
}

impl fmt::Display for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What changed under one heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The heading.
    pub heading: Heading,
    /// By how much, in centipawns.
    pub cp: i32,
    /// The term that changed most in the same direction, and by how much.
    pub leading: Option<(String, i32)>,
    /// A fact on the board that shows that term, if there is one.
    pub fact: Option<Fact>,
}

/// The static difference between two positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Static score of the first position.
    pub first_cp: i32,
    /// Static score of the second.
    pub second_cp: i32,
    /// By heading, in the order of [`Heading::ALL`], those without a change left out. They sum to the difference.
    pub changes: Vec<Change>,
}

impl Comparison {
    /// First minus second.
    pub fn difference(&self) -> i32 {
        self.first_cp - self.second_cp
    }
}

/// Compares the terms of two positions, first minus second, from `side`'s point of view.
pub fn compare(first: &Chess, second: &Chess, side: Color) -> Comparison {
    let evaluation = FieldEval::default();
    let sign = side.fold_wb(1, -1);
    let boards = (first.board(), second.board());
    let [first, second] = [first, second].map(|position| evaluation.explain(View::from(position)));
    let mut terms: BTreeMap<&str, i32> = BTreeMap::new();
    for term in &first.terms {
        *terms.entry(&term.name).or_default() += sign * term.centipawns;
    }
    for term in &second.terms {
        *terms.entry(&term.name).or_default() -= sign * term.centipawns;
    }
    let changes = Heading::ALL
        .into_iter()
        .filter_map(|heading| {
            let of = || terms.iter().filter(|(name, _)| Heading::of(name) == heading);
            let cp: i32 = of().map(|(_, cp)| cp).sum();
            let leading = of()
                .filter(|(_, term)| term.signum() == cp.signum() && **term != 0)
                .max_by_key(|(_, term)| term.abs())
                .map(|(name, term)| ((*name).to_owned(), *term));
            let worse = if cp < 0 { side } else { side.other() };
            let fact =
                leading.as_ref().and_then(|(term, _)| structure::fact(boards.0, boards.1, worse, term));
            (cp != 0).then_some(Change { heading, cp, leading, fact })
        })
        .collect();
    Comparison { first_cp: sign * first.score.raw(), second_cp: sign * second.score.raw(), changes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::ChessGame;

    #[test]
    fn every_term_of_the_evaluation_has_a_heading() {
        let start = Chess::default();
        for term in FieldEval::default().explain(View::from(&start)).terms {
            assert_ne!(Heading::of(&term.name), Heading::Other, "{}", term.name);
        }
    }

    #[test]
    fn headings_sum_to_the_difference_of_the_static_scores() {
        let fens = [
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
            "8/5pk1/p3p1p1/1pPpP2p/1P1P1P1P/P3K1P1/8/8 w - - 0 40",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        ];
        let positions = fens.map(|fen| ChessGame::from_fen(fen).unwrap().position().clone());
        for first in &positions {
            for second in &positions {
                for side in Color::ALL {
                    let comparison = compare(first, second, side);
                    let sum: i32 = comparison.changes.iter().map(|change| change.cp).sum();
                    assert_eq!(sum, comparison.difference());
                }
            }
        }
    }
}
