//! Promises every evaluation keeps, and those of this one.

use proptest::prelude::*;

use super::*;
use crate::testing::{check_evaluation, position, random_position};
use crate::tuning::Tunable;

/// Weights that leave no feature out; danger and hidden_layer small enough to stay below their bounds.
fn any_weights(seed: u64) -> Weights {
    let number = |index: u64| (tabia_core::seed::derive(seed, index) % 401) as f64 / 4.0 - 50.0;
    let parameters: Vec<f64> = (0..weights::PARAMETERS as u64).map(number).collect();
    let mut weights = Weights::from_parameters(&parameters).unwrap();
    weights.danger.iter_mut().for_each(|weight| *weight /= 8.0);
    let hidden = hidden_layer::COUNT - 16;
    weights.hidden_layer[..hidden].iter_mut().for_each(|weight| *weight = (*weight / 4.0).round() / 4.0);
    weights
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn it_keeps_the_promises_of_evaluations(seed: u64) {
        check_evaluation(&FieldEval::default(), &random_position(seed));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn with_any_weights_it_keeps_them_too(seed: u64) {
        check_evaluation(&FieldEval::with_weights(any_weights(seed % 7)), &random_position(seed));
    }

    #[test]
    fn the_trace_gives_the_score(seed: u64) {
        let position = random_position(seed);
        let view = View::from(&position);
        let mut learned = FieldEval::with_weights(any_weights(seed % 5));
        let parameters: Vec<f64> = learned.parameters().iter().map(|p| p.value).collect();
        let trace = learned.trace(view).unwrap();
        let score = learned.evaluate(view);
        prop_assume!(score.raw().abs() < BOUND);
        let learned_score = trace.score(&parameters);
        prop_assert!((learned_score - f64::from(score.raw())).abs() < 2.5, "{learned_score} {score}");
    }
}

#[test]
fn remembered_pawns_are_worth_what_counted_pawns_are() {
    let mut kept = FieldEval::with_weights(any_weights(3));
    for seed in 0..2_000 {
        let position = random_position(seed);
        let view = View::from(&position);
        let total = kept.sum(view);
        assert_eq!(kept.evaluate(view), score(total, Taper::of(view.board, total.endgame())));
    }
}

#[test]
fn a_file_of_weights_is_read_as_it_was_written() {
    let weights = any_weights(1);
    let mut read = file::read(&file::write(&weights, Some("a \"note\""))).unwrap();
    // Danger and the hidden layer are quantised like all weights.
    let near = |read: &[f64], written: &[f64]| {
        read.iter().zip(written).all(|(one, other)| (one - other).abs() < 0.04)
    };
    assert!(near(&read.danger, &weights.danger) && near(&read.hidden_layer, &weights.hidden_layer));
    read.danger.clone_from(&weights.danger);
    read.hidden_layer.clone_from(&weights.hidden_layer);
    assert_eq!(read, weights);
}

#[test]
fn what_is_wrong_with_a_file_is_named() {
    let good = file::write(&Weights::initial(), None);
    let error = |from: &str, to: &str| file::read(&good.replacen(from, to, 1)).unwrap_err().to_string();
    assert_eq!(
        error("tabia-field/4", "tabia-field/9"),
        "the format is \"tabia-field/9\", expected \"tabia-field/4\""
    );
    assert_eq!(
        error("\"bishop pair\": [0]", "\"bishop pear\": [0]"),
        "\"middlegame\" has no list \"bishop pair\""
    );
    let extra = error("\"bishop pair\": [0]", "\"bishop pair\": [0], \"bishop pear\": [0]");
    assert_eq!(extra, "unknown list \"bishop pear\" in \"middlegame\"; did you mean \"bishop pair\"?");
    assert_eq!(
        error("\"tempo\": [0]", "\"tempo\": [0, 1]"),
        "\"tempo\" in \"middlegame\" has 2 numbers, expected 1"
    );
    assert!(error("\"tempo\": [0]", "\"tempo\": [1e9]").contains("number 0 of \"tempo\""));
    assert!(error("\"tempo\": [0]", "\"tempo\": [NaN]").contains("not a weight file"));
}

#[test]
fn fields_show_what_the_squares_add() {
    let position = position("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4");
    let explanation = FieldEval::default().explain(View::from(&position));
    let names: Vec<&str> = explanation.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["worth", "placement", "influence", "threats", "kings", "pawns", "interplay"]);
    let material: i32 =
        explanation.terms.iter().filter(|term| term.name == "material").map(|term| term.centipawns).sum();
    let squares: f64 = explanation.fields[0].values.iter().flatten().sum();
    assert!((squares + f64::from(material) - f64::from(explanation.score.raw())).abs() < 1.5);
}

#[test]
fn three_rooks_on_a_file_count_the_same_for_either_side() {
    let promoted = position("3r2k1/3r1ppp/8/8/3R4/3R4/3R1PPP/6K1 w - - 0 1");
    for seed in 0..7 {
        check_evaluation(&FieldEval::with_weights(any_weights(seed)), &promoted);
    }
}

#[test]
fn all_of_it_is_symmetric_at_the_start() {
    let start = shakmaty::Chess::default();
    let mut weights = any_weights(2);
    // The right to move takes part in the hidden_layer, which is no sum: leave it out.
    let units = hidden_layer::COUNT - 16;
    weights.hidden_layer[units..].fill(0.0);
    let tempo = weights.linear[groups::TEMPO][0];
    let score = FieldEval::with_weights(weights).evaluate(View::from(&start));
    assert!((f64::from(score.raw()) - tempo).abs() < 1.0);
}
