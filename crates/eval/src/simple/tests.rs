//! What the evaluations of seed 001 promise, and numbers worked out by hand.

use super::*;
use crate::testing;
use proptest::prelude::*;

fn score<E: Evaluate>(mut evaluation: E, fen: &str) -> i32 {
    evaluation.evaluate(View::from(&testing::position(fen))).raw()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn the_start_is_worth_nothing_to_either() {
    assert_eq!(score(Material, START), 0);
    assert_eq!(score(MatMob, START), 0);
    assert_eq!(score(Aggressive, START), 0);
}

#[test]
fn after_e4_white_has_ten_more_moves_and_a_piece_in_the_centre() {
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(score(Material, fen), 0);
    assert_eq!(score(MatMob, fen), 10);
    assert_eq!(score(Aggressive, fen), 25 + 15);
}

#[test]
fn a_queen_for_rook_and_knight_is_worth_a_hundred() {
    assert_eq!(score(Material, "rn2k3/8/8/8/8/8/8/3QK3 w - - 0 1"), 900 - 500 - 300);
}

#[test]
fn an_odd_number_of_moves_rounds_half_centipawns_away_from_zero() {
    // Three moves for each king, and one for the pawn: worth 2.5.
    let fen = "k7/8/8/8/8/7P/8/K7 w - - 0 1";
    assert_eq!(score(Aggressive, fen), 103);
    let fen = "k7/8/7p/8/8/8/8/K7 w - - 0 1";
    assert_eq!(score(Aggressive, fen), -103);
}

#[test]
fn terms_name_counts_and_weights() {
    let position = testing::position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    let explanation = Aggressive.explain(View::from(&position));
    let names: Vec<&str> = explanation.terms.iter().map(|term| term.name.as_str()).collect();
    assert_eq!(names, ["pawns", "knights", "bishops", "rooks", "queens", "mobility", "centre"]);
    let mobility = &explanation.terms[5];
    assert_eq!((mobility.white, mobility.black, mobility.weight, mobility.centipawns), (30.0, 20.0, 2.5, 25));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn material_keeps_the_promises_of_every_evaluation(seed: u64) {
        testing::check_evaluation(&Material, &testing::random_position(seed));
    }

    #[test]
    fn mat_mob_keeps_the_promises_of_every_evaluation(seed: u64) {
        testing::check_evaluation(&MatMob, &testing::random_position(seed));
    }

    #[test]
    fn aggressive_keeps_the_promises_of_every_evaluation(seed: u64) {
        testing::check_evaluation(&Aggressive, &testing::random_position(seed));
    }

    #[test]
    fn sums_of_terms_need_no_rounding_term(seed: u64) {
        let position = testing::random_position(seed);
        let explanation = Aggressive.explain(View::from(&position));
        prop_assert!(explanation.terms.iter().all(|term| term.name != "rounding"));
    }
}
