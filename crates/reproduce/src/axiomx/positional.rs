//! What the evaluations recognise: passed and doubled pawns, coordination, the king's safety (§9.3).
//!
//! Each is asked by pairs of positions that differ in one thing; recognised is what changes the score in the right direction.

use tabia_core::ChessGame;
use tabia_eval::axiomx::Axiomx;
use tabia_eval::axiomx_speed::AxiomxSpeed;
use tabia_eval::{Evaluate, View};

use crate::error::ReproduceError;
use crate::figure::Figure;
use crate::step::Findings;
use crate::work::{Done, Work};

/// One thing, and pairs of positions: White is better off in the first of each.
struct Theme {
    name: &'static str,
    /// What the seed says of its two engines, in per cent of positions.
    seed: [(f64, &'static str); 2],
    pairs: &'static [[&'static str; 2]],
}

const THEMES: [Theme; 4] = [
    Theme {
        // The white pawn is passed, or a black one stands in its way or beside it.
        name: "a passed pawn",
        seed: [(0.0, "no"), (100.0, "yes (+30 a square)")],
        pairs: &[
            ["4k3/p5pp/8/3P4/8/8/P5PP/4K3 w - - 0 30", "4k3/2p3pp/8/3P4/8/8/P5PP/4K3 w - - 0 30"],
            ["6k1/pp3p2/8/4P3/8/8/PP3P2/6K1 w - - 0 30", "6k1/pp1p4/8/4P3/8/8/PP3P2/6K1 w - - 0 30"],
            ["2r3k1/5ppp/8/1P6/8/8/5PPP/2R3K1 w - - 0 30", "2r3k1/1p3pp1/8/1P6/8/8/5PPP/2R3K1 w - - 0 30"],
        ],
    },
    Theme {
        // White's pawns stand side by side, or one before another.
        name: "doubled pawns",
        seed: [(100.0, "implicitly"), (100.0, "explicitly (−20)")],
        pairs: &[
            ["4k3/ppp2ppp/8/8/8/2P5/PP3PPP/4K3 w - - 0 30", "4k3/ppp2ppp/8/8/8/1P6/PP3PPP/4K3 w - - 0 30"],
            [
                "r5k1/ppp2ppp/8/8/8/6P1/PPP2P1P/R5K1 w - - 0 30",
                "r5k1/ppp2ppp/8/8/8/5P2/PPP2P1P/R5K1 w - - 0 30",
            ],
            [
                "2b3k1/ppp2ppp/8/8/8/3P4/PPP2PPP/2B3K1 w - - 0 30",
                "2b3k1/ppp2ppp/8/8/8/2P5/PPP2PPP/2B3K1 w - - 0 30",
            ],
        ],
    },
    Theme {
        // White's pieces guard one another, or stand alone; the same squares by the tables of the first engine as far as possible.
        name: "pieces that work together",
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
pub fn run(_work: &mut Work<'_>) -> Done<Findings> {
    let mut figures = Vec::new();
    for theme in &THEMES {
        let names = super::ENGINES.into_iter().zip(theme.seed);
        let worth = [worth(&AxiomxSpeed, theme)?, worth(&Axiomx::default(), theme)?];
        for ((engine, (seed, text)), differences) in names.zip(worth) {
            let right = differences.iter().filter(|difference| **difference > 0).count();
            figures.push(
                Figure::new(format!("{engine}: {} is recognised", theme.name), "%")
                    .seed(seed, text)
                    .ours(100.0 * right as f64 / differences.len() as f64)
                    .more_is_better(),
            );
            let mean = differences.iter().sum::<i32>() as f64 / differences.len() as f64;
            figures.push(Figure::new("worth on average", "centipawns").ours(mean).compared());
        }
    }
    Ok(Some(Findings {
        how: "Three pairs of positions for each theme (`positional.rs`), with the same men and one thing changed. Recognised is a higher score where White \
              is better off; a yes of the seed counts as 100%, a no as 0%. What it is worth is the difference of the scores, everything included."
            .to_owned(),
        figures,
        notes: vec![
            "The seed's bonuses are multiplied by 0.2 before they count (its γ): a passed pawn gains 6 centipawns a rank, not 30. Its formulas for \
             development, castling and passed pawns mix signs, so that in the original a developed, castled White is good for Black; that is not reproduced."
                .to_owned(),
        ],
        ..Findings::default()
    }))
}

fn worth<E: Evaluate>(evaluation: &E, theme: &Theme) -> Result<Vec<i32>, ReproduceError> {
    let mut evaluation = evaluation.clone();
    let mut score = |fen: &str| -> Result<i32, ReproduceError> {
        let game = ChessGame::from_fen(fen)?;
        Ok(evaluation.evaluate(View::from(game.position())).raw())
    };
    theme.pairs.iter().map(|[better, worse]| Ok(score(better)? - score(worse)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Position, Role};
    use std::collections::BTreeMap;

    /// How many men of each kind.
    fn men(fen: &str) -> BTreeMap<(bool, Role), usize> {
        let game = ChessGame::from_fen(fen).unwrap();
        let mut men = BTreeMap::new();
        for (_, piece) in game.position().board().clone() {
            *men.entry((piece.color.is_white(), piece.role)).or_insert(0) += 1;
        }
        men
    }

    #[test]
    fn pairs_have_the_same_men_and_the_same_to_move() {
        for theme in &THEMES {
            for [better, worse] in theme.pairs {
                assert_eq!(men(better), men(worse), "{}: {better}", theme.name);
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
