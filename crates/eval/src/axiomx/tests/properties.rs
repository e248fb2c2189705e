//! Properties on random legal positions.

use super::plain::{Plain, Side};
use super::*;
use proptest::prelude::*;

/// Positions a property is checked on.
const POSITIONS: u32 = 10_000;

/// Positions for the reference implementation with every combination of extensions: it takes its time.
const POSITIONS_FOR_EXTENSIONS: u32 = 200;

/// Plies of the games that kept pawns are checked over.
const GAME_PLIES: u64 = 80;

/// What the decays' fixed point may cost, in centipawns.
const FIXED_POINT: f64 = 0.01;

fn evaluations() -> Vec<Axiomx> {
    all_options().iter().map(Axiomx::new).collect()
}

/// The terms that do not name a file.
fn symmetric_terms(evaluation: &Axiomx, position: &shakmaty::Chess) -> Vec<(String, f64, f64, f64)> {
    let terms = evaluation.explain(View::from(position)).terms;
    let named = terms.into_iter().filter(|term| term.name != "castling" && term.name != "rounding");
    named.map(|term| (term.name, term.white, term.black, term.weight)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(POSITIONS))]

    #[test]
    fn it_keeps_the_promises_of_every_evaluation(seed: u64) {
        let position = testing::random_position(seed);
        testing::check_evaluation_without_mirror(&Axiomx::default(), &position);
        let evaluations = evaluations();
        testing::check_evaluation_without_mirror(&evaluations[seed as usize % evaluations.len()], &position);
    }

    #[test]
    fn mirroring_files_changes_no_term_but_castling(seed: u64) {
        let position = testing::without_castling(&testing::random_position(seed));
        let mirrored = testing::mirror_files(&position);
        let evaluations = evaluations();
        for evaluation in [&Axiomx::default(), &evaluations[seed as usize % evaluations.len()]] {
            prop_assert_eq!(symmetric_terms(evaluation, &mirrored), symmetric_terms(evaluation, &position));
        }
    }

    #[test]
    fn the_fast_evaluation_is_the_plain_one(seed: u64) {
        let position = testing::random_position(seed);
        let view = View::from(&position);
        let kernels = if seed % 2 == 0 { Kernels::Doc } else { Kernels::Code };
        let options = Options { kernels, ..Options::default() };
        let board = tensor(view);
        let plain = Plain { options: &options, rounded: true, board: &board, move_number: view.move_number };
        let score = Axiomx::new(&options).evaluate(view);
        prop_assert_eq!(score.raw(), crate::explain::round(plain.evaluate()));
    }

    #[test]
    fn only_what_is_out_of_bounds_needs_a_rounding_term(seed: u64) {
        let position = testing::random_position(seed);
        let explanation = Axiomx::default().explain(View::from(&position));
        let bounded = explanation.score.raw().abs() == Score::EVALUATION_BOUND.raw();
        prop_assert_eq!(explanation.terms.iter().any(|term| term.name == "rounding"), bounded);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(POSITIONS_FOR_EXTENSIONS))]

    /// Pawns kept from earlier positions must never speak for other pawns: all positions of a random game and
    /// their successors, by one evaluation that keeps them and by the terms, which are computed afresh.
    #[test]
    fn kept_pawns_change_nothing_over_a_game(seed: u64) {
        use shakmaty::Position;
        let mut kept = Axiomx::default();
        let mut position = shakmaty::Chess::default();
        for ply in 0..GAME_PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            for m in &moves {
                let mut next = position.clone();
                next.play_unchecked(*m);
                let view = View::from(&next);
                prop_assert_eq!(kept.evaluate(view), super::super::terms::score(&kept.amounts(view)));
            }
            let choice = tabia_core::seed::derive(seed, ply) % moves.len() as u64;
            position.play_unchecked(moves[choice as usize]);
        }
    }

    #[test]
    fn every_term_and_extension_is_the_plain_one_but_for_fixed_point(seed: u64) {
        let position = testing::random_position(seed);
        let view = View::from(&position);
        let board = tensor(view);
        for options in all_options() {
            let plain = Plain { options: &options, rounded: false, board: &board, move_number: view.move_number };
            let terms = Axiomx::new(&options).explain(view).terms;
            for (fast, (name, white, black)) in terms.iter().zip(plain.terms()) {
                prop_assert_eq!(&fast.name, name);
                let off = (fast.white * fast.weight - white).abs().max((fast.black * fast.weight - black).abs());
                prop_assert!(off < FIXED_POINT, "{} is off by {} with {:?}", name, off, &options);
            }
        }
    }

    #[test]
    fn every_field_is_the_plain_one_but_for_fixed_point(seed: u64) {
        let position = testing::random_position(seed);
        let view = View::from(&position);
        let board = tensor(view);
        for options in all_options() {
            let plain = Plain { options: &options, rounded: false, board: &board, move_number: view.move_number };
            let fields = Axiomx::new(&options).explain(view).fields;
            let mut expected = vec![plain.control()];
            for side in [Side::White, Side::Black] {
                expected.extend((0..6).map(|piece| plain.influence(side, piece)));
            }
            for (field, expected) in fields[4..].iter().zip(&expected) {
                for (found, expected) in field.values.iter().flatten().zip(expected.iter().flatten()) {
                    prop_assert!((found - expected).abs() < FIXED_POINT, "{}: {found} {expected}", field.name);
                }
            }
        }
    }
}

#[test]
fn absurd_armies_do_not_overflow() {
    let fen = "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/NNNNNNNN/k1K5";
    let board: Board = fen.parse().unwrap();
    let view = View {
        board: &board,
        turn: Color::White,
        castling: shakmaty::Bitboard::EMPTY,
        en_passant: None,
        move_number: 1,
    };
    for options in all_options() {
        let explanation = Axiomx::new(&options).explain(view);
        assert_eq!(explanation.score, Score::EVALUATION_BOUND);
        assert_eq!(explanation.sum(), explanation.score.raw());
    }
}

/// Weights that are none of the seed's, different at both ends of the game.
fn other_numbers(seed: u64) -> Axiomx {
    use crate::tuning::Tunable;
    let usual = Axiomx::default();
    let values: Vec<f64> = usual
        .parameters()
        .iter()
        .enumerate()
        .map(|(index, parameter)| {
            let random = (tabia_core::seed::derive(seed, index as u64) % 2_001) as f64 / 100.0 - 10.0;
            (parameter.value + random * parameter.step).clamp(parameter.min, parameter.max)
        })
        .collect();
    usual.with_parameters(&values).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn with_the_seeds_numbers_what_learns_gives_the_seeds_score(seed: u64) {
        let position = testing::random_position(seed);
        let view = View::from(&position);
        let evaluations = evaluations();
        // With phases, kernels are interpolated before what counts only above zero is cut off, not after.
        let without_phase: Vec<&Axiomx> =
            evaluations.iter().filter(|evaluation| !evaluation.options.phase).collect();
        let usual = without_phase[seed as usize % without_phase.len()];
        let score = usual.clone().evaluate(view).raw();
        let again = usual.with_weights(usual.weights()).evaluate(view).raw();
        prop_assert!((score - again).abs() <= 1, "{score} {again}");
    }

    #[test]
    fn with_learned_numbers_it_keeps_the_promises_too(seed: u64) {
        testing::check_evaluation_without_mirror(&other_numbers(seed % 5), &testing::random_position(seed));
    }
}
