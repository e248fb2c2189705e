//! Learning recovers what the data was made with, and does not depend on threads.

use tabia_core::Stop;
use tabia_eval::field::{Learned, Weights, groups};
use tabia_eval::recipe::Tunable;
use tabia_eval::{Evaluate, testing};

use super::*;
use crate::sample::{GameResult, Sample};

/// Material as a teacher has it: the pupil begins with other numbers.
fn teacher() -> Learned {
    let mut weights = Weights::untaught();
    for (role, worth) in [70.0, 250.0, 400.0, 450.0, 800.0].into_iter().enumerate() {
        weights.linear[groups::MATERIAL + role] = [worth, worth + 40.0];
    }
    Learned::with_weights(weights)
}

/// Positions scored by the teacher; results are left out of the target by the settings.
fn samples(count: u64) -> Vec<Sample> {
    let mut teacher = teacher();
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

#[test]
fn what_the_data_was_made_with_is_recovered() {
    let pupil = Learned::with_weights(Weights::untaught());
    let data = Data::new(&pupil, &samples(6_000), 2);
    let outcome = learn(&pupil, &data, &settings(), &Stop::new(), &mut |_| {});
    let mut learned = pupil.with_parameters(&outcome.parameters).unwrap();
    let mut teacher = teacher();
    let (mut before, mut after) = (0.0, 0.0);
    for seed in 100_000..100_500 {
        let position = testing::random_position(seed);
        let truth = teacher.evaluate((&position).into()).raw();
        // Where a chance is nearly certain, nothing can be learned about its size.
        if truth.abs() < 400 {
            before += f64::from((pupil.clone().evaluate((&position).into()).raw() - truth).abs());
            after += f64::from((learned.evaluate((&position).into()).raw() - truth).abs());
        }
    }
    assert!(after < before / 3.0, "mean distance to the teacher: {before} before, {after} after");
    // The target's own entropy is the least loss there is.
    assert!(outcome.after < outcome.before, "{outcome:?}");
}

#[test]
fn threads_change_nothing() {
    let pupil = Learned::with_weights(Weights::untaught());
    let samples = samples(300);
    let outcome = |threads| {
        let data = Data::new(&pupil, &samples, threads);
        let settings = Settings { epochs: 3, threads, ..settings() };
        learn(&pupil, &data, &settings, &Stop::new(), &mut |_| {})
    };
    assert_eq!(outcome(1), outcome(3));
}

#[test]
fn a_stop_gives_the_best_so_far() {
    let pupil = Learned::with_weights(Weights::untaught());
    let data = Data::new(&pupil, &samples(300), 1);
    let stop = Stop::new();
    let mut seen = 0;
    let outcome = learn(&pupil, &data, &settings(), &stop, &mut |_| {
        seen += 1;
        stop.stop();
    });
    assert_eq!((seen, outcome.epochs.len()), (1, 1));
}
