//! What `axiomx-speed` promises, and numbers worked out by hand.

use super::*;
use crate::testing;
use proptest::prelude::*;

/// Positions a property is checked on.
const POSITIONS: u32 = 10_000;

fn score(fen: &str) -> i32 {
    AxiomxSpeed.evaluate(View::from(&testing::position(fen))).raw()
}

#[test]
fn the_start_is_worth_nothing_to_either() {
    assert_eq!(score("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 0);
}

#[test]
fn e4_gains_what_its_table_says() {
    // A pawn on e2 is worth -20, on e4 20.
    assert_eq!(score("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"), 40);
    assert_eq!(score("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), -40);
}

#[test]
fn every_role_is_worth_its_material_and_its_square() {
    // Kings on e1 and e8 are worth 0 each.
    assert_eq!(score("4k3/3P4/8/8/8/8/8/4K3 b - - 0 1"), 100 + 50);
    assert_eq!(score("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1"), 320 + 20);
    assert_eq!(score("4k3/8/8/8/8/2B5/8/4K3 w - - 0 1"), 330 + 10);
    assert_eq!(score("4k3/8/8/8/3R4/8/8/4K3 w - - 0 1"), 500);
    assert_eq!(score("4k3/8/8/8/3Q4/8/8/4K3 w - - 0 1"), 900);
    assert_eq!(score("4k3/8/8/8/8/8/8/6K1 w - - 0 1"), 30);
    assert_eq!(score("4k3/8/8/3K4/8/8/8/8 w - - 0 1"), -50);
}

#[test]
fn black_reads_the_tables_upside_down() {
    assert_eq!(score("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1"), -(100 + 50));
    assert_eq!(score("6k1/8/8/8/8/8/8/4K3 w - - 0 1"), -30);
    assert_eq!(score("n3k3/8/8/8/8/8/8/4K3 w - - 0 1"), -(320 - 50));
}

#[test]
fn terms_name_each_role() {
    let position = testing::position("4k3/8/8/8/3N4/8/8/4K1R1 w - - 0 1");
    let explanation = AxiomxSpeed.explain(View::from(&position));
    let terms: Vec<(&str, i32)> =
        explanation.terms.iter().map(|term| (term.name.as_str(), term.centipawns)).collect();
    let expected =
        [("pawns", 0), ("knights", 340), ("bishops", 0), ("rooks", 500), ("queens", 0), ("kings", 0)];
    assert_eq!(terms, expected);
    let [worth] = &explanation.fields[..] else { panic!("one field") };
    assert_eq!((worth.values[4][3], worth.values[7][6]), (340.0, 500.0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(POSITIONS))]

    #[test]
    fn it_keeps_the_promises_of_every_evaluation(seed: u64) {
        testing::check_evaluation(&AxiomxSpeed, &testing::random_position(seed));
    }
}
