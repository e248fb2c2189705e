//! The sequential test keeps its promises: error rates as asked, and one verdict whatever the number of threads.
//!
//! Thousands of matches are drawn from distributions of pairs whose strength is exactly that of a hypothesis. If a
//! test of error rate `p` is run `n` times, the share of errors has deviation `sqrt(p (1 - p) / n)`; the seeds are fixed, so
//! three of them are a tolerance that is either always or never met. Below `p` there is more room: the last pair
//! oversteps the bound, by about 0.58 of the LLR's deviation a pair (Siegmund's constant), which makes errors rarer by
//! that power of e.

use rand::Rng;
use tabia_core::seed;
use tabia_stats::{EloModel, Estimate, GameResult, PairResult, ReorderBuffer, Sprt, Verdict, expected_score};

const ALPHA: f64 = 0.05;
const BETA: f64 = 0.10;
const SIEGMUND: f64 = 0.583;

/// Pairs as engines of one strength play them from an unbalanced book: four games in ten drawn, few pairs swept.
const EQUALS: [f64; 5] = [0.02, 0.20, 0.56, 0.20, 0.02];

fn share(pairs: &[f64; 5]) -> f64 {
    pairs.iter().enumerate().map(|(half_points, chance)| chance * half_points as f64 / 4.0).sum()
}

fn normalized_elo(pairs: &[f64; 5]) -> f64 {
    // As many pairs as make every chance a whole number, nearly.
    Estimate::of_pairs(pairs.map(|chance| (chance * 1e12) as u64)).nelo.expect("results vary")
}

/// The equals' distribution, tilted until `strength` is that of `wanted`.
fn tilted(strength: impl Fn(&[f64; 5]) -> f64, wanted: f64) -> [f64; 5] {
    let at = |tilt: f64| {
        let mut pairs = EQUALS;
        pairs
            .iter_mut()
            .enumerate()
            .for_each(|(half_points, chance)| *chance *= (tilt * half_points as f64).exp());
        let sum: f64 = pairs.iter().sum();
        pairs.map(|chance| chance / sum)
    };
    let (mut low, mut high) = (-3.0, 3.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if strength(&at(middle)) < wanted { low = middle } else { high = middle }
    }
    at(low)
}

fn drawn(pairs: &[f64; 5], random: &mut impl Rng) -> PairResult {
    use GameResult::{Draw, Loss, Win};
    let mut at = random.random::<f64>();
    for (chance, pair) in pairs.iter().zip([(Loss, Loss), (Draw, Loss), (Win, Loss), (Win, Draw)]) {
        if at < *chance {
            return PairResult::new(pair.0, pair.1);
        }
        at -= chance;
    }
    PairResult::new(Win, Win)
}

/// How often `verdict` was the one given, and how many pairs a test took.
fn rate(verdict: Verdict, test: &Sprt, pairs: &[f64; 5], runs: u64) -> (f64, f64) {
    let (mut times, mut played) = (0, 0);
    for run in 0..runs {
        let mut random = seed::random(seed::derive(20_261_115, run));
        let mut test = test.clone();
        while !test.add(drawn(pairs, &mut random)).is_final() {}
        times += u64::from(test.verdict() == verdict);
        played += test.pairs();
    }
    (times as f64 / runs as f64, played as f64 / runs as f64)
}

fn assert_kept(asked: f64, found: f64, step: f64, runs: u64) {
    let deviation = (asked * (1.0 - asked) / runs as f64).sqrt();
    let overstepped = asked * (-SIEGMUND * step).exp();
    assert!(
        found < asked + 3.0 * deviation && found > overstepped - 3.0 * deviation,
        "asked for {asked}, found {found}, expected {overstepped} ± {deviation}"
    );
}

/// The LLR's deviation a pair between these strengths.
fn step(pairs: &[f64; 5], shares: [f64; 2]) -> f64 {
    let mean = share(pairs);
    let variance: f64 =
        pairs.iter().enumerate().map(|(k, chance)| chance * (k as f64 / 4.0 - mean).powi(2)).sum();
    (shares[1] - shares[0]) / variance.sqrt()
}

fn assert_error_rates_are_kept(
    [elo0, elo1]: [f64; 2],
    model: EloModel,
    strength: fn(&[f64; 5]) -> f64,
    wanted: fn(f64) -> f64,
    runs: u64,
) {
    let test = Sprt::new(elo0, elo1, ALPHA, BETA, model).unwrap();
    let [weak, strong] = [elo0, elo1].map(|elo| tilted(strength, wanted(elo)));
    let step = step(&weak, [share(&weak), share(&strong)]);
    assert_kept(ALPHA, rate(Verdict::H1, &test, &weak, runs).0, step, runs);
    assert_kept(BETA, rate(Verdict::H0, &test, &strong, runs).0, step, runs);
}

#[test]
fn error_rates_are_those_asked_for_in_logistic_elo() {
    assert_error_rates_are_kept([0.0, 5.0], EloModel::Logistic, share, expected_score, 300);
    assert_error_rates_are_kept([-5.0, 15.0], EloModel::Logistic, share, expected_score, 4000);
}

#[test]
fn error_rates_are_those_asked_for_in_normalised_elo() {
    assert_error_rates_are_kept([0.0, 30.0], EloModel::Normalized, normalized_elo, |nelo| nelo, 2000);
}

#[test]
fn the_verdict_does_not_depend_on_which_pair_ends_first() {
    let pairs = tilted(share, expected_score(10.0));
    let mut random = seed::random(7);
    let results: Vec<PairResult> = (0..4000).map(|_| drawn(&pairs, &mut random)).collect();
    let mut in_turn = Sprt::new(0.0, 10.0, ALPHA, BETA, EloModel::Logistic).unwrap();
    let mut out_of_turn = in_turn.clone();
    assert!(results.iter().any(|&pair| in_turn.add(pair).is_final()), "enough pairs for a verdict");
    // Games of eight boards end in any order.
    let mut order = ReorderBuffer::new();
    let mut boards: Vec<usize> = Vec::new();
    let mut waiting = 0..results.len();
    while let Some(number) = {
        boards.extend(waiting.by_ref().take(8 - boards.len()));
        (!boards.is_empty()).then(|| boards.swap_remove(random.random_range(0..boards.len())))
    } {
        for pair in order.add(number as u64, results[number]) {
            out_of_turn.add(pair);
        }
    }
    assert_eq!(in_turn, out_of_turn);
}
