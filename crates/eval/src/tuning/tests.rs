//! Derivatives are those of the score, for every form and for every evaluation that learns.

use proptest::prelude::*;

use super::*;
use crate::axiomx::{self, Axiomx};
use crate::axon::Axon;
use crate::chromosome::Chromosome;
use crate::field::FieldEval;
use crate::testing::random_position;

/// How far a gradient may be from a finite difference, of its size and absolutely.
const TOLERANCE: f64 = 1e-4;

/// Half the width of a finite difference, in steps of a parameter.
const SHIFT: f64 = 1e-3;

fn trace() -> EvalTrace {
    EvalTrace {
        constant: 3.0,
        taper: [0.25, 0.75],
        pairs: vec![(0, 2), (1, -1)],
        singles: vec![(4, 1.5)],
        squared: vec![
            SquaredRelu { inputs: vec![(5, 1), (4, 2)], square: -0.1, line: -0.5 },
            SquaredRelu { inputs: vec![(5, -3)], square: 0.2, line: 0.1 },
        ],
        relus: vec![WeightedRelu { inputs: vec![(0, 2), (2, -3)], weight: 1, sign: -1.0 }],
        clamps: vec![Clamp { inputs: vec![(3, 2.5), (1, -1.0)], bound: 8.0 }],
        attentions: vec![Attention {
            sums: vec![vec![(0, 3)], vec![(1, 1), (2, 2)], vec![(2, 5)]],
            weight: 1,
            temperature: 3,
            sign: 1.0,
        }],
        layer: Some(Box::new(HiddenLayer {
            first: 8,
            inputs: 3,
            counts: [vec![(0, 2), (2, 1)], vec![(1, 1), (2, 3)]],
        })),
    }
}

/// How many coefficients that has.
const COEFFICIENTS: usize = 8 + HiddenLayer::coefficients(3);

/// The gradients on both sides of a point: apart where there is a kink between.
fn gradients(score: impl Fn(f64) -> f64, shift: f64) -> (f64, f64) {
    let [below, here, above] = [-shift, 0.0, shift].map(&score);
    ((here - below) / shift, (above - here) / shift)
}

/// Whether a derivative lies between the gradients on both sides.
fn agrees(gradient: f64, (left, right): (f64, f64)) -> bool {
    let tolerance = TOLERANCE * gradient.abs().max(1.0);
    // At a kink there is no derivative to match.
    let kink = (left - right).abs() > 100.0 * tolerance;
    kink || (left.min(right) - tolerance..=left.max(right) + tolerance).contains(&gradient)
}

proptest! {
    #[test]
    fn derivatives_of_every_form_match_finite_differences(
        mut coefficients in prop::collection::vec(-5.0f64..5.0, COEFFICIENTS),
    ) {
        // Temperatures are above zero.
        coefficients[6] = coefficients[6].abs() + 1.0;
        coefficients[7] = coefficients[7].abs() + 1.0;
        let trace = trace();
        let mut gradient = vec![0.0; COEFFICIENTS];
        trace.add_gradient(&coefficients, 1.0, &mut gradient);
        for index in 0..COEFFICIENTS {
            let score = |by: f64| {
                let mut coefficients = coefficients.clone();
                coefficients[index] += by;
                trace.score(&coefficients)
            };
            prop_assert!(agrees(gradient[index], gradients(score, 1e-5)), "{index}: {}", gradient[index]);
        }
    }
}

/// Holds the gradient of an evaluation against finite differences, parameter by parameter, and its trace against
/// its score.
fn check(evaluation: &impl Tunable, seed: u64) -> Result<(), TestCaseError> {
    let position = random_position(seed);
    let view = View::from(&position);
    let Some(trace) = evaluation.trace(view) else { return Ok(()) };
    let parameters = evaluation.parameters();
    let values: Vec<f64> = parameters.iter().map(|parameter| parameter.value).collect();
    let coefficients = evaluation.coefficients(&values);
    let score = evaluation.clone().evaluate(view).raw();
    let known = trace.score(&coefficients);
    // Terms are rounded one by one.
    let tolerance = 2.5 + known.abs() * 1e-3;
    prop_assert!((known - f64::from(score)).abs() < tolerance, "seed {seed}: {known} {score}");

    // Between round numbers, at which kinks of both sides may meet.
    let off = |(index, parameter): (usize, &Parameter)| {
        parameter.value + 10.0 * SHIFT * parameter.step * random(seed, index)
    };
    let values: Vec<f64> = parameters.iter().enumerate().map(off).collect();
    let coefficients = evaluation.coefficients(&values);
    let mut coefficient_gradient = vec![0.0; coefficients.len()];
    trace.add_gradient(&coefficients, 1.0, &mut coefficient_gradient);
    let gradient = evaluation.backpropagate(&values, coefficient_gradient);
    prop_assert_eq!(gradient.len(), parameters.len());
    // Not all of thousands, but any of them.
    let stride = 1 + parameters.len() / 150;
    for index in ((seed as usize % stride)..parameters.len()).step_by(stride) {
        let shift = SHIFT * parameters[index].step;
        let score = |by: f64| {
            let mut values = values.clone();
            values[index] += by;
            trace.score(&evaluation.coefficients(&values))
        };
        let (gradient, found) = (gradient[index], gradients(score, shift));
        prop_assert!(
            agrees(gradient, found),
            "seed {seed}, {}: {gradient} {found:?}",
            parameters[index].name
        );
    }
    Ok(())
}

/// A number from -1 to 1 for a parameter.
fn random(seed: u64, index: usize) -> f64 {
    (tabia_core::seed::derive(seed, index as u64) % 2_001) as f64 / 1_000.0 - 1.0
}

/// Other parameters than the usual ones, a few steps away.
fn shaken<E: Tunable>(evaluation: &E, seed: u64) -> E {
    let values: Vec<f64> = evaluation
        .parameters()
        .iter()
        .enumerate()
        .map(|(index, parameter)| {
            (parameter.value + 3.0 * parameter.step * random(seed, index)).clamp(parameter.min, parameter.max)
        })
        .collect();
    evaluation.with_parameters(&values).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_gradient_of_axiomx_matches_finite_differences(seed: u64) {
        check(&Axiomx::default(), seed)?;
        check(&shaken(&Axiomx::default(), seed), seed)?;
        let attentive = Axiomx::new(&axiomx::Options { attention: true, ..axiomx::Options::default() });
        check(&shaken(&attentive, seed), seed)?;
        let coded =
            Axiomx::new(&axiomx::Options { kernels: axiomx::Kernels::Code, ..axiomx::Options::default() });
        check(&shaken(&coded, seed), seed)?;
    }

    #[test]
    fn the_gradient_of_axon_matches_finite_differences(seed: u64) {
        check(&Axon::default(), seed)?;
        check(&shaken(&Axon::default(), seed), seed)?;
    }

    #[test]
    fn the_gradient_of_chromosome_matches_finite_differences(seed: u64) {
        check(&Chromosome::default(), seed)?;
        check(&shaken(&Chromosome::default(), seed), seed)?;
        let three = Chromosome::with_parameters(&Chromosome::default().parameters().repeat(3)).unwrap();
        check(&shaken(&three, seed), seed)?;
    }

    #[test]
    fn the_gradient_of_field_matches_finite_differences(seed: u64) {
        check(&FieldEval::default(), seed)?;
    }
}

/// A file holds what is played, and what is read plays as what was written.
fn check_file<E: Tunable>(evaluation: &E) {
    let shaken = shaken(evaluation, 7);
    let text = shaken.file("a \"note\"");
    let mut read = evaluation.with_file(&text).unwrap();
    assert_eq!(read.file("a \"note\""), text);
    let mut written = shaken;
    for seed in 0..200 {
        let position = random_position(seed);
        let view = View::from(&position);
        let (one, other) = (written.evaluate(view).raw(), read.evaluate(view).raw());
        assert!((one - other).abs() <= 2, "seed {seed}: {one} {other}");
    }
    let (name, version) = text.split_once("tabia-").unwrap().1.split_once('/').unwrap();
    let version = &version[..1];
    let other_version = text.replacen(&format!("{name}/{version}\""), &format!("{name}/9\""), 1);
    let error = evaluation.with_file(&other_version).err().unwrap().to_string();
    assert!(error.contains("/9\"") && error.contains(&format!("/{version}\"")), "{error}");
}

#[test]
fn files_of_weights_are_read_as_they_were_written() {
    check_file(&Axiomx::default());
    check_file(&Axon::default());
    check_file(&Chromosome::default());
    check_file(&FieldEval::default());
}

#[test]
fn weights_of_another_evaluation_are_refused_with_the_difference() {
    let of_axon = Axon::default().file("");
    let error = Axiomx::default().with_file(&of_axon).err().unwrap().to_string();
    assert_eq!(error, "the format is \"tabia-axon/1\", expected \"tabia-axiomx/1\"");
    let error = Chromosome::default().with_file(&of_axon).err().unwrap().to_string();
    assert!(error.contains("tabia-axon/1") && error.contains("tabia-chromosome/1"), "{error}");
}

#[test]
fn every_evaluation_has_something_to_look_at() {
    let named = |pictures: Vec<Field>| pictures.iter().all(|field| !field.name.is_empty());
    for pictures in [
        Axiomx::default().pictures(),
        Axon::default().pictures(),
        Chromosome::default().pictures(),
        FieldEval::default().pictures(),
    ] {
        assert!(!pictures.is_empty() && named(pictures));
    }
}
