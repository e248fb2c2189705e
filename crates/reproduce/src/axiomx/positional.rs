//! What the evaluations recognise: passed and doubled pawns, coordination, the king's safety (§9.3).
//!
//! Each is asked by pairs of positions that differ in one thing; recognised is what changes the score in the right direction.

use tabia_core::ChessGame;
use tabia_eval::axiomx::Axiomx;
use tabia_eval::axiomx_speed::AxiomxSpeed;
use tabia_eval::{Evaluate, View};

use crate::context::{Interruptible, StepContext};
use crate::error::ReproduceError;
use crate::figure::Figure;
use crate::step::Findings;

/// One thing, and pairs of positions: White is better off in the first of each. By the tables of the first engine both are worth the same, but for the king's.
struct Theme {
    name: &'static str,
    /// The term of the second engine that is about it, if one is.
    term: Option<&'static str>,
    /// What the seed says of its two engines, in per cent of positions.
    seed: [(f64, &'static str); 2],
    pairs: &'static [[&'static str; 2]],
}

const THEMES: [Theme; 4] = [
    Theme {
        // The white pawn is passed, or a black one stands in its way or beside it.
        name: "a passed pawn",
        term: Some("passed"),
        seed: [(0.0, "no"), (100.0, "yes (+30 a square)")],
        pairs: &[
            ["4k3/5p2/8/3P4/8/8/8/4K3 w - - 0 30", "4k3/2p5/8/3P4/8/8/8/4K3 w - - 0 30"],
            ["6k1/2p5/8/4P3/8/8/8/6K1 w - - 0 30", "6k1/5p2/8/4P3/8/8/8/6K1 w - - 0 30"],
            ["2r3k1/6p1/8/1P6/8/8/8/2R3K1 w - - 0 30", "2r3k1/1p6/8/1P6/8/8/8/2R3K1 w - - 0 30"],
        ],
    },
    Theme {
        // A white pawn has a file of its own, or stands before another.
        name: "doubled pawns",
        term: Some("doubled"),
        seed: [(100.0, "implicitly"), (100.0, "explicitly (−20)")],
        pairs: &[
            ["4k3/ppp4p/5p2/8/8/5P2/PPP4P/4K3 w - - 0 30", "4k3/ppp4p/5p2/8/8/2P5/PPP4P/4K3 w - - 0 30"],
            [
                "6k1/ppp2p1p/6p1/8/8/6P1/PPP2P1P/6K1 w - - 0 30",
                "6k1/ppp2p1p/6p1/8/8/1P6/PPP2P1P/6K1 w - - 0 30",
            ],
            [
                "r5k1/2pp1p2/4p3/8/8/4P3/2PP1P2/R5K1 w - - 0 30",
                "r5k1/2pp1p2/4p3/8/8/3P4/2PP1P2/R5K1 w - - 0 30",
            ],
        ],
    },
    Theme {
        // White's pieces guard one another, or stand alone.
        name: "pieces that work together",
        term: Some("coordination"),
        seed: [(0.0, "no"), (100.0, "yes (+5 a square)")],
        pairs: &[
            ["r3k2r/8/8/8/8/8/8/R2RK3 w - - 0 30", "r3k2r/8/8/8/8/8/R7/3RK3 w - - 0 30"],
            ["6k1/8/8/3q4/8/4R3/4R3/4K3 w - - 0 30", "6k1/8/8/3q4/8/7R/4R3/4K3 w - - 0 30"],
            ["4k3/2n5/8/3N4/2B5/8/8/4K3 w - - 0 30", "4k3/2n5/8/3N4/5B2/8/8/4K3 w - - 0 30"],
        ],
    },
    Theme {
        // White's king is behind its pawns, or in the middle with the queens on.
        name: "a safe king",
        term: None,
        seed: [(100.0, "basic"), (100.0, "advanced (control field)")],
        pairs: &[
            [
                "r2q1rk1/ppp2ppp/2n2n2/8/8/2N2N2/PPP2PPP/R2Q1RK1 w - - 0 12",
                "r2q1rk1/ppp2ppp/2n2n2/8/8/2N2N2/PPPK1PPP/R2Q1R2 w - - 0 12",
            ],
            ["3q1rk1/5ppp/8/8/8/8/5PPP/3Q1RK1 w - - 0 12", "3q1rk1/5ppp/8/8/4K3/8/5PPP/3Q1R2 w - - 0 12"],
            [
                "r1bq1rk1/ppp2ppp/8/8/8/8/PPP2PPP/R1BQ1RK1 w - - 0 12",
                "r1bq1rk1/ppp2ppp/8/8/3K4/8/PPP2PPP/R1BQ1R2 w - - 0 12",
            ],
        ],
    },
];

/// Asks both evaluations.
pub fn run(_work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let mut figures = Vec::new();
    let fields = Axiomx::default();
    for Theme { name, term, seed: [first, second], pairs } in &THEMES {
        let whole = |score: &dyn Fn(&ChessGame) -> f64| differences(pairs, score);
        let of_tables = whole(&|game| f64::from(AxiomxSpeed.evaluate(View::from(game.position())).raw()))?;
        let of_fields = whole(&|game| f64::from(fields.clone().evaluate(View::from(game.position())).raw()))?;
        let of_term = match term {
            None => None,
            Some(term) => Some(whole(&|game| worth_of(term, &fields, game))?),
        };
        let figure = |engine: &str, what: &str, differences: &[f64]| {
            let right = differences.iter().filter(|difference| **difference > 0.0).count();
            Figure::new(format!("{engine}: {what} {name}"), "%")
                .ours(100.0 * right as f64 / differences.len() as f64)
        };
        let claimed =
            |figure: Figure, (value, text): &(f64, &str)| figure.seed(*value, text).more_is_better();
        figures.push(claimed(figure("axiomx-speed", "recognises", &of_tables), first));
        if let Some(of_term) = &of_term {
            figures.push(claimed(figure("axiomx", "has a term that recognises", of_term), second));
            figures.push(figure("axiomx", "as a whole recognises", &of_fields).more_is_better());
        } else {
            figures.push(claimed(figure("axiomx", "recognises", &of_fields), second));
        }
        let mean = of_fields.iter().sum::<f64>() / of_fields.len() as f64;
        figures.push(
            Figure::new(format!("axiomx: {name}, worth on average"), "centipawns").ours(mean).compared(),
        );
    }
    Ok(Some(Findings {
        how: "Three pairs of positions for each theme (`positional.rs`), with the same pieces and one thing changed. Recognised is a higher score where White \
              is better off; a yes of the seed counts as 100%, a no as 0%. Of the second engine the term that is about the theme is asked, and the whole score."
            .to_owned(),
        figures,
        notes: vec![
            "The seed's bonuses are multiplied by 0.2 before they count (its γ): a passed pawn gains 6 centipawns a rank, not 30, and a doubled one loses 4, so \
             that control, whose weight is 0.5, often says the opposite. Control also counts the king's own influence, and more of it in the centre: a king in the \
             middle is worth more to it than a castled one. The seed's formulas for development, castling and passed pawns mix signs, so that in the original a developed, \
             castled White is good for Black; that is not reproduced."
                .to_owned(),
        ],
        ..Findings::default()
    }))
}

/// By how much the first of each pair scores more.
fn differences(pairs: &[[&str; 2]], score: &dyn Fn(&ChessGame) -> f64) -> Result<Vec<f64>, ReproduceError> {
    pairs
        .iter()
        .map(|[better, worse]| Ok(score(&ChessGame::from_fen(better)?) - score(&ChessGame::from_fen(worse)?)))
        .collect()
}

/// The value of one term, before rounding.
fn worth_of(term: &str, evaluation: &Axiomx, game: &ChessGame) -> f64 {
    let explained = evaluation.explain(View::from(game.position()));
    let found = explained.terms.iter().find(|found| found.name == term);
    found.map_or(0.0, |found| (found.white - found.black) * found.weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Position, Role};
    use std::collections::BTreeMap;

    /// Number of pieces of each kind.
    fn pieces(fen: &str) -> BTreeMap<(bool, Role), usize> {
        let game = ChessGame::from_fen(fen).unwrap();
        let mut pieces = BTreeMap::new();
        for (_, piece) in game.position().board().clone() {
            *pieces.entry((piece.color.is_white(), piece.role)).or_insert(0) += 1;
        }
        pieces
    }

    #[test]
    fn the_terms_are_there() {
        let explained = Axiomx::default().explain(View::from(ChessGame::default().position()));
        for term in THEMES.iter().filter_map(|theme| theme.term) {
            assert!(explained.terms.iter().any(|found| found.name == term), "{term}");
        }
    }

    #[test]
    fn pairs_have_the_same_pieces_and_side_to_move() {
        for theme in &THEMES {
            for [better, worse] in theme.pairs {
                assert_eq!(pieces(better), pieces(worse), "{}: {better}", theme.name);
                assert_eq!(
                    better.split_once(' ').unwrap().1,
                    worse.split_once(' ').unwrap().1,
                    "{}",
                    theme.name
                );
            }
        }
    }
}
