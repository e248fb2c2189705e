//! What results say about strength.

use pyo3::prelude::*;
use serde::Serialize;
use tabia_stats::ratings::{self, Anchor};
use tabia_stats::{
    EloModel, EncounterScore, Estimate, GameResult, Method, PairResult, Sprt, SprtReport, Verdict,
    llr_of_games, llr_of_pairs,
};

use crate::work::{failed, refused};

/// Pairs of one kind that ratings are fitted to.
const MAX_PAIRS: u64 = 10_000_000;

/// The Elo model of a name.
pub fn model(name: &str) -> PyResult<EloModel> {
    match name {
        "logistic" => Ok(EloModel::Logistic),
        "normalized" => Ok(EloModel::Normalized),
        other => Err(refused(format_args!("\"{other}\" is no Elo model; there are logistic and normalized"))),
    }
}

/// Three counts are losses, draws and wins of single games; five are those of pairs, by half points.
enum Counts {
    Games([u64; 3]),
    Pairs([u64; 5]),
}

fn counts(given: &[u64]) -> PyResult<Counts> {
    if let Ok(games) = given.try_into() {
        return Ok(Counts::Games(games));
    }
    given.try_into().map(Counts::Pairs).map_err(|_| {
        refused(format_args!(
            "{} counts; give three (losses, draws, wins) or five (pairs by half points: LL, LD, DD+WL, WD, WW)",
            given.len()
        ))
    })
}

fn json(document: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(document).map_err(failed)
}

/// Elo with its error: Elo, error, interval, normalised Elo, its error, likelihood of superiority, basis.
type EloEstimate =
    (Option<f64>, Option<f64>, Option<[f64; 2]>, Option<f64>, Option<f64>, Option<f64>, &'static str);

/// How much stronger the first player is.
#[pyfunction]
pub fn elo(given: Vec<u64>) -> PyResult<EloEstimate> {
    let (estimate, basis) = match counts(&given)? {
        Counts::Games(games) => (Estimate::of_games(games), "trinomial"),
        Counts::Pairs(pairs) => (Estimate::of_pairs(pairs), "pentanomial"),
    };
    let Estimate { elo, elo_error_95, elo_interval_95, nelo, nelo_error_95, los, .. } = estimate;
    Ok((elo, elo_error_95, elo_interval_95, nelo, nelo_error_95, los, basis))
}

/// Where a sequential test stands after these results; as JSON.
#[pyfunction]
pub fn sprt(
    given: Vec<u64>,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    elo_model: &str,
) -> PyResult<String> {
    let elo_model = model(elo_model)?;
    let test = Sprt::new(elo0, elo1, alpha, beta, elo_model).map_err(refused)?;
    let (llr, pairs) = match counts(&given)? {
        Counts::Pairs(pairs) => {
            (llr_of_pairs(pairs, [elo0, elo1], elo_model, Method::default()), pairs.iter().sum())
        }
        Counts::Games(games) => {
            let games_played: u64 = games.iter().sum();
            (llr_of_games(games, [elo0, elo1], elo_model, Method::default()), games_played / 2)
        }
    };
    let (lower, upper) = test.bounds();
    let verdict = match llr {
        _ if llr >= upper => Verdict::H1,
        _ if llr <= lower => Verdict::H0,
        _ => Verdict::Continue,
    };
    json(&SprtReport { llr, pairs, verdict, ..test.report() })
}

/// Ratings fitted to results, as JSON. A result is (first player, second player, counts from the first one's view).
#[pyfunction]
pub fn fitted_ratings(
    players: usize,
    results: Vec<(usize, usize, Vec<u64>)>,
    anchors: Vec<(usize, f64)>,
) -> PyResult<String> {
    use GameResult::{Draw, Loss, Win};
    const PAIRS: [PairResult; 5] = [
        PairResult::new(Loss, Loss),
        PairResult::new(Loss, Draw),
        PairResult::new(Draw, Draw),
        PairResult::new(Win, Draw),
        PairResult::new(Win, Win),
    ];
    let mut scores = Vec::new();
    for (first, second, given) in results {
        if let Some(count) = given.iter().find(|count| **count > MAX_PAIRS) {
            return Err(refused(format_args!("{count} pairs; ratings are fitted to {MAX_PAIRS} at most")));
        }
        let mut score = EncounterScore::new(first, second);
        match counts(&given)? {
            Counts::Pairs(pairs) => {
                for (pair, count) in PAIRS.into_iter().zip(pairs) {
                    (0..count).for_each(|_| score.add_pair(pair));
                }
            }
            Counts::Games(_) => {
                return Err(refused("ratings are fitted to pairs of games: give five counts, LL to WW"));
            }
        }
        scores.push(score);
    }
    let anchors: Vec<Anchor> = anchors.into_iter().map(|(player, elo)| Anchor { player, elo }).collect();
    json(&ratings::fit(players, &scores, &anchors).map_err(refused)?)
}
