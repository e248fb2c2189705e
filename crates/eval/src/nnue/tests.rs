//! Incremental sums equal fresh ones, every instruction set gives the same scores, and explanations are exact.
#![allow(clippy::float_cmp, reason = "shares are whole numbers times the same factor")]

use proptest::prelude::*;
use shakmaty::{Chess, Position};
use tabia_core::seed::derive;

use super::kernels::Level;
use super::*;
use crate::testing::{check_evaluation, position, random_position};

/// Every size of hidden layer, and every standard layout of king buckets and one that is none.
pub(super) fn shapes() -> Vec<Shape> {
    let shape = |hidden: usize, buckets: usize| Shape {
        hidden,
        kings: KingBuckets::standard(buckets).expect("a standard layout"),
    };
    let each: [u8; 32] = std::array::from_fn(|square| square as u8);
    let squares = Shape { hidden: 256, kings: KingBuckets::from_table(&each).expect("a layout") };
    vec![shape(256, 1), shape(256, 4), shape(384, 8), shape(512, 1), shape(512, 4), squares]
}

/// A network of random numbers, large enough that units saturate.
pub(super) fn any_network(seed: u64, shape: &Shape) -> Network {
    let row = |salt: u64, bound: i16| {
        let number =
            move |i: usize| (derive(seed ^ salt << 32, i as u64) % (2 * bound as u64 + 1)) as i16 - bound;
        (0..shape.hidden).map(number)
    };
    let inputs = (0..shape.inputs() as u64).flat_map(|input| row(input, 120));
    let outputs = (0..2 * BUCKETS as u64).flat_map(|output| row(200_000 + output, 126));
    let small: Vec<i16> = inputs.chain(row(100_000, 60)).chain(outputs).collect();
    let output_bias = std::array::from_fn(|b| (derive(seed, b as u64) % 2_000_000) as i32 - 1_000_000);
    Network::from_numbers(shape, &small, output_bias, format!("random, seed {seed}"))
        .expect("as many numbers")
}

/// A network of the first shape: 256 units, one bucket.
pub(super) fn first(seed: u64) -> Network {
    any_network(seed, &Shape::default())
}

/// Networks of all shapes; each is made once.
fn network(seed: u64) -> Network {
    static NETWORKS: LazyLock<Vec<Network>> = LazyLock::new(|| {
        shapes().iter().enumerate().map(|(seed, shape)| any_network(seed as u64, shape)).collect()
    });
    NETWORKS[(seed % NETWORKS.len() as u64) as usize].clone()
}

fn fresh(network: &Network, view: View<'_>) -> Score {
    let relative = for_any_size!(Network, network, weights => {
        let units = [view.turn, view.turn.other()].map(|side| weights.refreshed(view.board, side));
        let bucket = output_bucket(view.board.occupied().count());
        Score::cp(centipawns(weights.output(Level::Portable, [&units[0], &units[1]], bucket)))
    });
    view.turn.fold_wb(relative, -relative)
}

/// Walks a random tree with moves made and taken back, evaluating some nodes.
fn walk(nnue: &mut Nnue, position: &Chess, seed: u64, depth: u32, seen: &mut u32) {
    if !derive(seed, 1).is_multiple_of(3) {
        let view = View::from(position);
        assert_eq!(nnue.evaluate(view), fresh(&nnue.network(), view));
        *seen += 1;
    }
    let moves = position.legal_moves();
    if depth == 0 || moves.is_empty() {
        return;
    }
    for child in 0..2 {
        let draw = derive(seed, 10 + child);
        // Kings and captures first, so that halves change and pieces vanish.
        let lively: Vec<_> = moves
            .iter()
            .filter(|m| m.is_capture() || m.is_castle() || m.role() == shakmaty::Role::King)
            .collect();
        let played = match lively.get((draw % 7) as usize) {
            Some(played) => **played,
            None => moves[(draw % moves.len() as u64) as usize],
        };
        let mut next = position.clone();
        next.play_unchecked(played);
        nnue.push();
        walk(nnue, &next, draw, depth - 1, seen);
        nnue.pop();
    }
}

#[test]
fn the_shipped_weights_stay_where_they_are_in_the_program() {
    let is_in_place =
        for_any_size!(Network, &*SHIPPED, weights => matches!(weights.inputs, Cow::Borrowed(_)));
    assert_eq!(is_in_place, cfg!(target_endian = "little"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn incremental_sums_equal_fresh_ones(seed: u64) {
        let mut nnue = Nnue::new(network(seed));
        let mut seen = 0;
        for game in 0..3 {
            nnue.restart();
            walk(&mut nnue, &random_position(derive(seed, game)), derive(seed, game + 9), 7, &mut seen);
        }
        prop_assert!(seen > 10);
    }

    #[test]
    fn sums_are_right_whatever_was_pushed_and_popped(seed: u64) {
        let mut nnue = Nnue::new(network(seed));
        for step in 0..60 {
            match derive(seed, step) % 4 {
                0 => nnue.push(),
                1 => nnue.pop(),
                _ => {
                    let position = random_position(derive(seed, step + 100));
                    let view = View::from(&position);
                    prop_assert_eq!(nnue.evaluate(view), fresh(&nnue.network(), view));
                }
            }
        }
    }

    #[test]
    fn every_instruction_set_gives_the_same_score(seed: u64) {
        let position = random_position(seed);
        let nnue = Nnue::new(network(seed));
        let scores = [Level::Portable, Level::Avx2, Level::Avx512]
            .map(|level| nnue.clone().at_level(level).evaluate(View::from(&position)));
        prop_assert!(scores.iter().all(|score| *score == scores[0]), "{:?}", scores);
    }

    #[test]
    fn promises_are_kept(seed: u64) {
        check_evaluation(&Nnue::new(network(seed)), &random_position(seed));
    }

    #[test]
    fn the_shipped_network_keeps_them_too(seed: u64) {
        check_evaluation(&Nnue::default(), &random_position(seed));
    }

    #[test]
    fn exchanging_colours_exchanges_the_worth_of_pieces(seed: u64) {
        let position = random_position(seed);
        let nnue = Nnue::new(network(seed));
        let worth = |position: &Chess| nnue.explain(View::from(position)).fields[0].values;
        let (here, there) = (worth(&position), worth(&crate::testing::swap_colors(&position)));
        for rank in 0..8 {
            for file in 0..8 {
                prop_assert_eq!(here[rank][file], -there[7 - rank][file]);
            }
        }
    }
}

#[test]
fn explanations_of_ten_thousand_positions_are_exact() {
    let nnues = [Nnue::new(first(4)), Nnue::new(any_network(4, &shapes()[4]))];
    for seed in 0..10_000 {
        // Long rows take long in a test's build.
        let nnue = &nnues[usize::from(seed % 10 == 0)];
        let position = random_position(seed);
        let view = View::from(&position);
        let explanation = nnue.explain(view);
        assert_eq!(explanation.score, fresh(&nnue.network(), view));
        assert_eq!(explanation.sum(), explanation.score.raw());
        let worth: f64 = explanation.fields[0].values.iter().flatten().sum();
        let bias = explanation.terms.iter().find(|term| term.name == "bias").unwrap();
        let told = worth + bias.white - bias.black;
        // Saturated units lose less than a unit of sums for every input, clamped scores the rest.
        if explanation.score.raw().abs() < 19_999 {
            assert!(
                (told - f64::from(explanation.score.raw())).abs() < 2.0,
                "{told} and {}",
                explanation.score
            );
        }
    }
}

#[test]
fn a_piece_has_a_term_and_a_square() {
    let position = position("4k3/8/8/8/8/5N2/8/4K3 w - - 0 1");
    let explanation = Nnue::default().explain(View::from(&position));
    let names: Vec<&str> = explanation.terms.iter().map(|term| term.name.as_str()).collect();
    assert_eq!(&names[..4], ["king e1", "king e8", "knight f3", "bias"]);
    let knight = &explanation.terms[2];
    assert_eq!(explanation.fields[0].values[5][5], knight.white);
}

#[test]
fn buckets_go_from_two_kings_to_all_pieces() {
    assert_eq!([1, 2, 5, 6, 29, 30, 32, 40].map(output_bucket), [0, 0, 0, 1, 6, 7, 7, 7]);
}
