//! What the seeds' engines do, to the node: a change that only makes them faster changes none of these numbers.

use super::*;
use crate::agents::control_square_values;
use crate::bench::POSITIONS;
use tabia_eval::axiomx::Axiomx;
use tabia_eval::axiomx_speed::AxiomxSpeed;
use tabia_eval::axon::Axon;
use tabia_eval::chromosome::Chromosome;

/// Everything that a search counts and finds over the positions of the bench, each with a fresh search, and the sum of its scores.
fn total<E: Evaluate>(evaluation: &E, settings: Settings) -> (Counts, i32) {
    total_of(|| Classic::new(evaluation.clone(), settings))
}

fn total_of<E: Evaluate>(new_search: impl Fn() -> Classic<E>) -> (Counts, i32) {
    let mut total = Counts::default();
    let mut scores = 0;
    for fen in POSITIONS {
        let mut search = new_search();
        let found = search.search(&game(fen), &Limits::default(), &Stop::new(), &mut |_| ()).unwrap();
        total += found.counts;
        scores += found.score.unwrap().raw();
    }
    (total, scores)
}

#[test]
fn axiomx_speed_visits_the_nodes_it_always_did() {
    let expected = Counts {
        nodes: 39_964,
        quiescence_nodes: 0,
        evaluations: 36_367,
        cutoffs: 2_459,
        first_move_cutoffs: 2_123,
        table_probes: 0,
        table_hits: 0,
    };
    assert_eq!(total(&AxiomxSpeed, Settings::AXIOMX_SPEED), (expected, 3_735));
}

#[test]
fn axiomx_visits_the_nodes_it_always_did() {
    let expected = Counts {
        nodes: 41_984,
        quiescence_nodes: 35_577,
        evaluations: 66_406,
        cutoffs: 12_402,
        first_move_cutoffs: 10_931,
        table_probes: 41_963,
        table_hits: 7_336,
    };
    assert_eq!(total(&Axiomx::default(), Settings::AXIOMX), (expected, 1_397));
}

#[test]
fn alphabeta_visits_the_nodes_it_always_did_with_ordering_and_without() {
    let three_plies = Settings { depth: 3, ..Settings::ALPHABETA };
    let ordered = Counts {
        nodes: 44_769,
        evaluations: 40_531,
        cutoffs: 2_975,
        first_move_cutoffs: 2_537,
        ..Counts::default()
    };
    assert_eq!(total(&MatMob, three_plies), (ordered, 3_117));
    let unordered = Counts {
        nodes: 126_021,
        evaluations: 118_972,
        cutoffs: 5_407,
        first_move_cutoffs: 1_705,
        ..Counts::default()
    };
    let settings = Settings { ordering: MoveOrdering::Off, ..three_plies };
    assert_eq!(total(&MatMob, settings), (unordered, 3_117));
}

#[test]
fn guided_axiomx_visits_the_nodes_it_always_did() {
    let expected = Counts {
        nodes: 38_295,
        quiescence_nodes: 24_922,
        evaluations: 52_650,
        cutoffs: 8_714,
        first_move_cutoffs: 7_725,
        table_probes: 38_272,
        table_hits: 7_180,
    };
    let guided = || {
        let guide = control_square_values(Axiomx::default());
        Classic::new(Axiomx::default(), Settings::AXIOMX).with_square_values(guide)
    };
    assert_eq!(total_of(guided), (expected, 1_397));
}

#[test]
fn axon_visits_the_nodes_it_always_did() {
    let expected = Counts {
        nodes: 42_651,
        quiescence_nodes: 108_822,
        evaluations: 133_825,
        cutoffs: 33_794,
        first_move_cutoffs: 30_332,
        table_probes: 0,
        table_hits: 0,
    };
    assert_eq!(total(&Axon::default(), Settings::AXON), (expected, -78));
}

#[test]
fn chromosome_visits_the_nodes_it_always_did() {
    let expected = Counts {
        nodes: 45_726,
        evaluations: 41_128,
        cutoffs: 3_346,
        first_move_cutoffs: 2_509,
        ..Counts::default()
    };
    let settings = Settings { depth: 3, ..Settings::ALPHABETA };
    assert_eq!(total(&Chromosome::default(), settings), (expected, 12_703));
}
