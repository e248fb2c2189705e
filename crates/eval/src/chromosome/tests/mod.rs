//! What `chromosome` promises.

mod file;
mod genome;
mod principles;
mod reference;

use std::sync::LazyLock;

use super::*;
use crate::testing;
use proptest::prelude::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The chromosome in which only the named genes weigh anything.
fn only(genes: &[(&str, f64)]) -> Chromosome {
    let mut parameters = [0.0; super::genome::GENES];
    for (name, weight) in genes {
        parameters[super::genome::index_of(name).unwrap()] = *weight;
    }
    Chromosome::with_parameters(&parameters).unwrap()
}

fn score(chromosome: &Chromosome, fen: &str) -> i32 {
    chromosome.clone().evaluate(View::from(&testing::position(fen))).raw()
}

fn explain(chromosome: &Chromosome, fen: &str) -> Explanation {
    chromosome.explain(View::from(&testing::position(fen)))
}

#[test]
fn the_start_is_worth_nothing_to_either() {
    assert_eq!(score(&Chromosome::default(), START), 0);
}

#[test]
fn a_weight_is_pawns_a_point() {
    let fen = "rn2k3/8/8/8/8/8/8/3QK3 w - - 0 1";
    assert_eq!(score(&only(&[("material", 1.0)]), fen), 100);
    assert_eq!(score(&only(&[("material", 1.5)]), fen), 150);
    assert_eq!(score(&only(&[("material", -0.25)]), fen), -25);
    assert_eq!(score(&only(&[("queen.d1", 0.33), ("rook.a1", 0.2), ("knight.b1", 0.03)]), fen), 33 - 20 - 3);
}

#[test]
fn half_centipawns_are_rounded_away_from_zero_for_both_sides() {
    // Centralisation differs by 3.75 points, worth 10 centipawns each.
    let evaluation = only(&[("king_centralisation", 0.1)]);
    assert_eq!(score(&evaluation, "7k/8/8/8/4K3/8/8/8 w - - 0 1"), 38);
    assert_eq!(score(&evaluation, "8/8/8/4k3/8/8/8/7K b - - 0 1"), -38);
}

#[test]
fn pressure_on_kings_weighs_by_the_difference_of_its_two_weights() {
    let fen = "3r3k/8/8/8/4q3/8/4P3/4K3 w - - 0 1";
    assert_eq!(score(&only(&[("enemy_king_pressure", 0.4)]), fen), -160);
    assert_eq!(score(&only(&[("king_pressure", -0.5)]), fen), -200);
    assert_eq!(score(&only(&[("king_pressure", -0.5), ("enemy_king_pressure", 0.4)]), fen), -360);
    assert_eq!(score(&only(&[("king_pressure", 0.4), ("enemy_king_pressure", 0.4)]), fen), 0);
}

#[test]
fn the_heaviest_weights_neither_overflow_nor_leave_the_scale() {
    let heaviest = [super::genome::LARGEST; super::genome::GENES];
    let heaviest = Chromosome::with_parameters(&heaviest).unwrap();
    let position = testing::position("QQQQQ2k/QQQQ4/8/8/8/8/8/7K b - - 0 1");
    assert_eq!(heaviest.clone().evaluate(View::from(&position)), Score::EVALUATION_BOUND);
    testing::check_evaluation_without_mirror(&heaviest, &position);
}

#[test]
fn an_explanation_has_a_term_a_gene_group_and_a_field_a_table() {
    let explanation =
        explain(&Chromosome::default(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    let names: Vec<&str> = explanation.terms.iter().map(|term| term.name.as_str()).collect();
    let tables = ["pawn table", "knight table", "bishop table", "rook table", "queen table", "king table"];
    let principles = PRINCIPLES.iter().map(|principle| principle.name);
    assert_eq!(names, principles.chain(tables).collect::<Vec<_>>());

    let development = &explanation.terms[3];
    assert_eq!((development.white, development.black, development.weight), (0.5, 0.0, 20.0));
    assert_eq!(development.centipawns, 10);
    let pawns = &explanation.terms[SCALARS];
    assert!((pawns.white - 1.32).abs() < 1e-6 && (pawns.black - 1.0).abs() < 1e-6, "{pawns:?}");
    assert!((pawns.weight - 100.0).abs() < f64::EPSILON && pawns.centipawns == 32, "{pawns:?}");

    let fields: Vec<(&str, &str)> =
        explanation.fields.iter().map(|field| (field.name.as_str(), field.unit.as_str())).collect();
    let tables = tables.into_iter().map(|name| (name, "pawns"));
    let attackers = [("attackers White", "pieces"), ("attackers Black", "pieces")];
    assert_eq!(fields, attackers.into_iter().chain(tables).collect::<Vec<_>>());
}

#[test]
fn fields_show_attackers_and_tables_as_a_board_is_drawn() {
    let explanation = explain(&Chromosome::default(), "4k3/8/8/8/8/8/8/R3K2R w - - 0 1");
    // d1: the rook on a1 and the king; e8: nobody; h8: the rook on h1. Black's king attacks d8.
    let at = |field: usize, row: usize, column: usize| explanation.fields[field].values[row][column] as i32;
    assert_eq!([at(0, 7, 3), at(0, 0, 4), at(0, 0, 7), at(0, 0, 3)], [2, 0, 1, 0]);
    assert_eq!([at(1, 0, 3), at(1, 7, 3)], [1, 0]);
    let king = explanation.fields[7].values;
    assert!((king[7][6] - 0.95).abs() < f64::EPSILON && (king[0][3]).abs() < f64::EPSILON);
}

#[test]
fn parameters_go_out_and_come_back() {
    let chromosome = Chromosome::new(Weights::random(5));
    let copy = Chromosome::with_parameters(&chromosome.parameters()).unwrap();
    assert_eq!(copy.weights(), chromosome.weights());
    for seed in 0..50 {
        let position = testing::random_position(seed);
        let view = View::from(&position);
        assert_eq!(copy.explain(view), chromosome.explain(view));
    }
}

/// The one everybody starts from, the same on both wings.
static DEFAULT: LazyLock<Chromosome> = LazyLock::new(Chromosome::default);

/// A small population: evaluations of no symmetry but that of colours.
static POPULATION: LazyLock<Vec<Chromosome>> =
    LazyLock::new(|| (0..8).map(|seed| Chromosome::new(Weights::random(seed))).collect());

/// As far as evolution may ever go: any weights of either sign.
static WILD: LazyLock<Vec<Chromosome>> = LazyLock::new(|| {
    let wild = |seed: u64| {
        let weight = |gene: usize| f64::from(tabia_core::seed::derive(seed, gene as u64) as i32) / 1e9;
        let parameters: Vec<f64> = (0..super::genome::GENES).map(weight).collect();
        Chromosome::with_parameters(&parameters).unwrap()
    };
    (0..8).map(wild).collect()
});

/// Individuals with weights of their own for each phase.
static PHASED: LazyLock<Vec<Chromosome>> = LazyLock::new(|| {
    let weights = |seed| Weights::random(seed).to_flat();
    let three = |seed: u64| [3 * seed, 3 * seed + 1, 3 * seed + 2].map(weights).concat();
    (0..8).map(|seed| Chromosome::with_parameters(&three(seed)).unwrap()).collect()
});

#[test]
fn three_phases_that_are_alike_are_one() {
    let one = Chromosome::new(Weights::random(3));
    let three = Chromosome::with_parameters(&one.parameters().repeat(3)).unwrap();
    for fen in [START, "3r3k/8/8/8/4q3/8/4P3/4K3 w - - 0 1", "7k/8/8/8/4K3/8/8/8 w - - 0 1"] {
        assert_eq!(score(&three, fen), score(&one, fen));
    }
}

#[test]
fn a_weight_counts_in_its_phase_and_half_way_to_it() {
    let gene = super::genome::index_of("passed_pawns").unwrap();
    let with = |phase: usize| {
        let mut parameters = vec![0.0; 3 * super::genome::GENES];
        parameters[phase * super::genome::GENES + gene] = 1.0;
        Chromosome::with_parameters(&parameters).unwrap()
    };
    let all = "rnbqkbnr/1ppppppp/8/8/8/P7/8/RNBQKBNR w KQkq - 0 1";
    let half = "rn2k1nr/8/8/8/8/P7/8/RN2K1NR w KQkq - 0 1";
    let quarter = "r3k2r/8/8/8/8/P7/8/4K1N1 w kq - 0 1";
    let none = "4k3/8/8/8/8/P7/8/4K3 w - - 0 1";
    let scores = |phase| [all, half, quarter, none].map(|fen| score(&with(phase), fen));
    assert_eq!(scores(0), [-600, 0, 0, 0]);
    assert_eq!(scores(1), [0, 100, 42, 0]);
    assert_eq!(scores(2), [0, 0, 58, 100]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn it_keeps_the_promises_of_every_evaluation(seed: u64) {
        testing::check_evaluation(&*DEFAULT, &testing::random_position(seed));
    }

    #[test]
    fn every_individual_keeps_the_promises_of_every_evaluation(seed: u64, individual in 0usize..8) {
        let position = testing::random_position(seed);
        testing::check_evaluation_without_mirror(&POPULATION[individual], &position);
        testing::check_evaluation_without_mirror(&WILD[individual], &position);
        testing::check_evaluation_without_mirror(&PHASED[individual], &position);
    }
}

proptest! {
    #[test]
    fn terms_of_sane_weights_need_no_rounding_term(seed: u64, individual in 0usize..8) {
        let position = testing::random_position(seed);
        let explanation = POPULATION[individual].explain(View::from(&position));
        prop_assert!(explanation.terms.iter().all(|term| term.name != "rounding"));
    }
}
