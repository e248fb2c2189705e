//! Learning recovers what the data was made with, and depends neither on threads nor on interruptions.

use tabia_core::Stop;
use tabia_eval::axiomx::Axiomx;
use tabia_eval::axon::Axon;
use tabia_eval::chromosome::Chromosome;
use tabia_eval::field::{FieldEval, Weights, groups};
use tabia_eval::testing;
use tabia_eval::tuning::Tunable;

use super::*;
use crate::sample::{GameResult, Sample};

/// Material as a teacher has it: the student begins with other numbers.
fn teacher() -> FieldEval {
    let mut weights = Weights::initial();
    for (role, worth) in [70.0, 250.0, 400.0, 450.0, 800.0].into_iter().enumerate() {
        weights.linear[groups::MATERIAL + role] = [worth, worth + 40.0];
    }
    FieldEval::with_weights(weights)
}

/// Positions scored by a teacher; results are left out of the target by the settings.
fn samples(mut teacher: impl Tunable, count: u64) -> Vec<Sample> {
    (0..count)
        .map(|seed| {
            let position = testing::random_position(seed);
            let score = teacher.evaluate((&position).into());
            Sample::new(&position, score.raw().clamp(-3_000, 3_000) as i16, result(score.raw(), seed), 20)
        })
        .collect()
}

/// A result with the chance that the score gives it, so that steepness can be fitted.
fn result(score: i32, seed: u64) -> GameResult {
    let chance = 1.0 / (1.0 + (-0.005 * f64::from(score)).exp());
    let draw = (tabia_core::seed::derive(seed, 99) % 1_000) as f64 / 1_000.0;
    if draw < chance { GameResult::Win } else { GameResult::Loss }
}

fn settings() -> Settings {
    Settings {
        epochs: 40,
        batch: 256,
        rate: 4.0,
        final_rate: 0.2,
        result_share: 0.0,
        pull: 0.0,
        ..Settings::default()
    }
}

fn learned(student: &impl Tunable, data: &Data, settings: &Settings, threads: usize) -> State {
    train(student, data, settings, threads, None, &Stop::new(), &mut |_| {}).unwrap()
}

/// A student comes three times nearer to its teacher than it was, on positions it has not seen.
fn check_recovery<E: Tunable + Sync>(student: &E, teacher: &E) {
    let data = Data::new(student, &samples(teacher.clone(), 6_000), 2);
    let outcome = learned(student, &data, &settings(), 2);
    let mut after_learning = student.with_parameters(&outcome.best).unwrap();
    let (mut teacher, mut student) = (teacher.clone(), student.clone());
    let (mut before, mut after) = (0.0, 0.0);
    for seed in 100_000..100_500 {
        let position = testing::random_position(seed);
        let truth = teacher.evaluate((&position).into()).raw();
        // Where a chance is nearly certain, nothing can be learned about its size.
        if truth.abs() < 400 {
            before += f64::from((student.evaluate((&position).into()).raw() - truth).abs());
            after += f64::from((after_learning.evaluate((&position).into()).raw() - truth).abs());
        }
    }
    assert!(after < before / 3.0, "distance to the teacher: {before} before, {after} after");
    assert!(outcome.after < outcome.before && outcome.after < outcome.before_scaled, "{outcome:?}");
}

/// The same evaluation with every parameter so many steps away, up or down.
fn moved<E: Tunable>(evaluation: &E, steps: f64) -> E {
    let values: Vec<f64> = evaluation
        .parameters()
        .iter()
        .enumerate()
        .map(|(index, parameter)| {
            let sign = if tabia_core::seed::derive(5, index as u64).is_multiple_of(2) { 1.0 } else { -1.0 };
            (parameter.value + sign * steps * parameter.step).clamp(parameter.min, parameter.max)
        })
        .collect();
    evaluation.with_parameters(&values).unwrap()
}

#[test]
fn what_the_data_was_made_with_is_recovered() {
    check_recovery(&FieldEval::with_weights(Weights::initial()), &teacher());
}

#[test]
fn axon_recovers_what_the_data_was_made_with() {
    check_recovery(&Axon::default(), &moved(&Axon::default(), 12.0));
}

#[test]
fn a_chromosome_recovers_what_the_data_was_made_with() {
    check_recovery(&Chromosome::default(), &moved(&Chromosome::default(), 15.0));
}

/// Its teacher has a sensible size: with the seed's own, nearly every position is won or lost.
#[test]
fn axiomx_recovers_what_the_data_was_made_with() {
    let seed = Axiomx::default();
    let smaller: Vec<f64> = seed
        .parameters()
        .iter()
        .map(|parameter| {
            let name = &parameter.name;
            if name.ends_with("control") || name.ends_with("coordination") {
                parameter.value / 20.0
            } else {
                parameter.value
            }
        })
        .collect();
    let student = seed.with_parameters(&smaller).unwrap();
    check_recovery(&student, &moved(&student, 15.0));
}

#[test]
fn threads_change_nothing() {
    let student = FieldEval::with_weights(Weights::initial());
    let samples = samples(teacher(), 300);
    let outcome = |threads| {
        let data = Data::new(&student, &samples, threads);
        learned(&student, &data, &Settings { epochs: 3, ..settings() }, threads)
    };
    assert_eq!(outcome(1), outcome(3));
}

#[test]
fn an_interruption_changes_nothing() {
    let student = FieldEval::with_weights(Weights::initial());
    let data = Data::new(&student, &samples(teacher(), 300), 1);
    let settings = Settings { epochs: 5, ..settings() };
    let whole = learned(&student, &data, &settings, 1);
    let stop = Stop::new();
    let half = train(&student, &data, &settings, 1, None, &stop, &mut |state| {
        if state.epochs.len() == 2 {
            stop.stop();
        }
    })
    .unwrap();
    assert_eq!(half.epochs.len(), 2);
    // As it is kept on disk.
    let kept = serde_json::to_string(&half).unwrap();
    let left = Some(serde_json::from_str(&kept).unwrap());
    let resumed = train(&student, &data, &settings, 1, left, &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!(resumed, whole);
}

#[test]
fn it_ends_when_nothing_gets_better() {
    let student = FieldEval::with_weights(Weights::initial());
    let data = Data::new(&student, &samples(teacher(), 200), 1);
    let wild = Settings { rate: 500.0, final_rate: 500.0, patience: 2, ..settings() };
    let outcome = learned(&student, &data, &wild, 1);
    assert!(outcome.epochs.len() < 40, "{}", outcome.epochs.len());
    assert!(outcome.after <= outcome.before);
}

#[test]
fn what_cannot_work_is_refused_with_the_reason() {
    let refused = |settings: Settings| settings.check().unwrap_err().to_string();
    assert!(refused(Settings { epochs: 0, ..settings() }).contains("one pass"));
    assert!(refused(Settings { rate: f64::NAN, ..settings() }).contains("the rate is NaN"));
    assert!(refused(Settings { result_share: 1.5, ..settings() }).contains("between 0 and 1"));
    let student = FieldEval::with_weights(Weights::initial());
    let one = Data::new(&student, &samples(teacher(), 1), 1);
    let error = train(&student, &one, &settings(), 1, None, &Stop::new(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("too few"), "{error}");
}

#[test]
fn excluded_parameters_are_zero_and_the_rest_is_learned() {
    let student = FieldEval::with_weights(Weights::initial());
    let data = Data::new(&student, &samples(teacher(), 600), 1);
    let settings = |name: &str| Settings { epochs: 3, without: vec![name.to_owned()], ..settings() };
    let without = learned(&student, &data, &settings("material 0"), 1);
    let names: Vec<String> = student.parameters().into_iter().map(|parameter| parameter.name).collect();
    let value = |state: &State, name: &str| state.best[names.iter().position(|known| known == name).unwrap()];
    for name in ["middlegame material 0", "endgame material 0"] {
        assert!(value(&without, name).abs() < f64::EPSILON, "{name}");
    }
    let begun = student.parameters();
    let queen = names.iter().position(|name| name == "middlegame material 4").unwrap();
    assert!((without.best[queen] - begun[queen].value).abs() > 0.1, "the others are learned");
    for name in ["mat", "", "queens"] {
        let refused = train(&student, &data, &settings(name), 1, None, &Stop::new(), &mut |_| {});
        assert_eq!(refused.unwrap_err(), DescentError::Unknown(name.to_owned()));
    }
}
