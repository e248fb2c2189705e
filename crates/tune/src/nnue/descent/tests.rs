//! Gradients are exact, states and networks come back from their files, and weights stay in range.

use std::fs;

use tabia_core::seed;
use tabia_eval::nnue::features::KingBuckets;
use tabia_eval::nnue::{SCALE, Shape, file};
use tabia_eval::testing;

use super::centipawns;
use super::gradient::{Loss, backward, forward};
use super::optimiser::State;
use super::parameters::{CLIP, Layout};
use super::positions::Seen;
use crate::sample::{GameResult, Sample};

fn shape(hidden: usize, king_buckets: usize) -> Shape {
    Shape { hidden, kings: KingBuckets::standard(king_buckets).unwrap() }
}

fn seen(seed: u64, shape: &Shape) -> Seen {
    let result = [GameResult::Loss, GameResult::Draw, GameResult::Win][seed as usize % 3];
    Seen::of(
        &Sample::new(&testing::random_position(seed), (seed % 500) as i16 - 250, result, 40).to_bytes(),
        &shape.kings.table(),
    )
}

/// A state whose buckets differ.
fn uneven(shape: &Shape, seed: u64) -> State {
    let mut state = State::new(shape, seed, None);
    if shape.kings.count() > 1 {
        let inputs = state.layout.hidden_bias;
        for (at, weight) in state.parameters[..inputs].iter_mut().enumerate() {
            *weight = (seed::derive(seed + 1, at as u64) % 1_000) as f32 / 5_000.0 - 0.1;
        }
    }
    state
}

fn check_gradients<const N: usize>(king_buckets: usize) {
    let shape = shape(N, king_buckets);
    let layout = Layout::of(&shape);
    let state = uneven(&shape, 5);
    let loss = Loss { k: 0.006, share: 0.05, power: 2.5 };
    // Copies of many parameters take long in a test's build.
    for seed in 0..20 / king_buckets as u64 {
        let seen = seen(seed, &shape);
        let mut gradient = vec![0.0; layout.count];
        backward::<N>(layout, &layout.fold(&state.parameters), &mut gradient, loss, &seen);
        layout.fold_gradient(&mut gradient);
        let feature = usize::from(seen.features(seed as usize % 2)[1]) * N;
        let mut places = vec![
            feature + 3,
            feature + 200,
            layout.hidden_bias + 17,
            layout.output_row(seen.bucket, 1) + 9,
            layout.output_bias + seen.bucket,
        ];
        if king_buckets > 1 {
            places.extend([3, 200].map(|unit| layout.factoriser + feature % layout.table() + unit));
        }
        for at in places {
            let shifted = |by: f32| {
                let mut parameters = state.parameters.clone();
                parameters[at] += by;
                let output = forward::<N>(layout, &layout.fold(&parameters), &seen).1;
                f64::from(loss.of(output, &seen).0)
            };
            let step = 2e-3;
            let numeric = (shifted(step) - shifted(-step)) / f64::from(2.0 * step);
            let exact = f64::from(gradient[at]);
            assert!((numeric - exact).abs() < 2e-3 + 0.05 * exact.abs(), "{at}: {numeric} and {exact}");
        }
    }
}

#[test]
fn gradients_are_those_of_finite_differences() {
    check_gradients::<256>(1);
    check_gradients::<256>(4);
    check_gradients::<512>(8);
}

#[test]
fn states_come_back_from_their_file() {
    let path = std::env::temp_dir().join(format!("tabia-nnue-state-{}", std::process::id()));
    for shape in [shape(256, 1), shape(384, 4)] {
        let mut state = State::new(&shape, 3, None);
        let gradient: Vec<f32> = (0..state.layout.count).map(|i| (i % 7) as f32 - 3.0).collect();
        state.step(&gradient, 1e-3, 1e-2);
        state.epoch = 4;
        state.write(&path).unwrap();
        let layout = state.layout;
        assert_eq!(State::read(&path, layout).unwrap(), Some(state));
        fs::write(&path, b"TABIA").unwrap();
        assert!(State::read(&path, layout).unwrap_err().to_string().contains("5 bytes"));
        fs::remove_file(&path).unwrap();
        assert_eq!(State::read(&path, layout).unwrap(), None);
    }
}

#[test]
fn whole_numbers_and_parameters_are_the_same_network() {
    for shape in [shape(256, 1), shape(256, 4), shape(512, 8)] {
        let state = uneven(&shape, 9);
        let network = state.network(&shape, "test".to_owned());
        let again = State::new(&shape, 0, Some(&network));
        assert_eq!(again.network(&shape, "test".to_owned()), network);
        let seen = seen(11, &shape);
        let played = again.layout.fold(&again.parameters);
        let output = match shape.hidden {
            256 => forward::<256>(again.layout, &played, &seen).1,
            _ => forward::<512>(again.layout, &played, &seen).1,
        };
        let exact = output * SCALE as f32;
        assert!((f64::from(exact) - centipawns(&network, &seen) as f64).abs() <= 1.01);
    }
}

#[test]
fn a_network_with_one_bucket_starts_one_with_more() {
    let (one, four) = (shape(256, 1), shape(256, 4));
    let network = State::new(&one, 7, None).network(&one, String::new());
    let wider = State::new(&four, 0, Some(&network)).network(&four, String::new());
    for seed in 0..20 {
        assert_eq!(centipawns(&network, &seen(seed, &one)), centipawns(&wider, &seen(seed, &four)));
    }
}

#[test]
fn weights_stay_in_range_with_a_factoriser() {
    let shape = shape(256, 4);
    let mut state = State::new(&shape, 3, None);
    let gradient: Vec<f32> = (0..state.layout.count).map(|i| (i % 3) as f32 - 1.0).collect();
    for _ in 0..40 {
        state.step(&gradient, 0.1, 0.0);
    }
    let played = state.layout.fold(&state.parameters);
    assert!(played[..state.layout.hidden_bias].iter().all(|weight| weight.abs() <= CLIP + 1e-5));
    file::read(&file::write(&state.network(&shape, String::new()))).unwrap();
}
