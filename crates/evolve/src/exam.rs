//! Strength of champions: matches against an opponent that is independent of selection.
//!
//! The seed's tests (§IV.B): a chromosome at depth 4 plays 100 games against the opponent at depth 1, from middlegames. Here every opening is played twice,
//! with colours reversed. A rating does the same for the champions of some generations.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tabia_core::{Stop, seed};
use tabia_grid::{Grid, Verdict};
use tabia_run::atomic_file;
use tabia_stats::{GameResult, PairResult, Tally};

use crate::check::check;
use crate::error::EvolveError;
use crate::operators::Genes;
use crate::settings::{GameSettings, SearchSettings};
use crate::task::{GameTask, Opponent, Task, TaskKind, TaskResult};

/// The file of ratings in the directory of a run.
pub const RATINGS: &str = "ratings.json";
/// The file of the seed's tests.
pub const EXAM: &str = "exam.json";

/// Settings of the matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExamSettings {
    /// Games per candidate, an even number.
    pub games: u32,
    /// The candidates' search.
    pub search: SearchSettings,
    /// Seed of the openings.
    pub seed: u64,
    /// Opponent, openings and the limit of plies.
    pub against: GameSettings,
}

/// A chromosome to be tested.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub name: String,
    pub genes: Genes,
}

/// The result of a candidate's match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExamResult {
    pub name: String,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Score in percent.
    pub percent: f64,
    /// Elo against the opponent; none where all games ended the same way.
    pub elo: Option<f64>,
    /// Half-width of its 95% confidence interval.
    pub elo_error_95: Option<f64>,
}

/// The rating of a generation's champion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    pub generation: u32,
    /// Result of its match.
    #[serde(rename = "mark")]
    pub result: ExamResult,
}

/// Results of all candidates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExamResults {
    /// Settings of the matches.
    pub settings: ExamSettings,
    #[serde(rename = "marks")]
    pub results: Vec<ExamResult>,
}

/// Ratings of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratings {
    /// Settings of the matches.
    pub settings: ExamSettings,
    /// Ratings by generation, ascending.
    pub ratings: Vec<Rating>,
}

/// Results published in the seed: games won and lost of 100.
pub const SEED_FIGURES: [(&str, u32, u32); 3] =
    [("random", 2, 98), ("evolved", 40, 60), ("evolved, original tables", 65, 35)];

/// Plays all matches; `None` if stopped. `tell` receives the number of finished games and the total.
pub fn examine(
    grid: &dyn Grid<Task>,
    candidates: &[Candidate],
    settings: &ExamSettings,
    stop: &Stop,
    tell: &mut dyn FnMut(usize, usize),
) -> Result<Option<Vec<ExamResult>>, EvolveError> {
    if settings.games == 0 || !settings.games.is_multiple_of(2) {
        return Err(EvolveError::Settings(format!(
            "the number of games is {}, expected an even number above 0: every opening is played with both colours",
            settings.games
        )));
    }
    settings.search.check()?;
    let tasks: Vec<Task> = (0..candidates.len())
        .flat_map(|place| (0..settings.games).map(move |game| (place, game)))
        .map(|(place, game)| task(&candidates[place], place, game, settings))
        .collect();
    let mut results: HashMap<String, TaskResult> = HashMap::new();
    grid.run(&tasks, stop, &mut |place: usize, done: TaskResult| {
        if let Err(why) = check(&tasks[place], &done) {
            return Verdict::Rejected(why);
        }
        results.insert(done.id.clone(), done);
        tell(results.len(), tasks.len());
        Verdict::Counted
    })?;
    if results.len() < tasks.len() {
        return Ok(None);
    }
    let scores = candidates.iter().enumerate().map(|(place, candidate)| {
        let points =
            |game: u32| results.get(&id(place, game)).and_then(|done| done.points).unwrap_or_default();
        let pair = |pair: u32| PairResult::new(result(points(2 * pair)), result(points(2 * pair + 1)));
        exam_result(&candidate.name, &Tally::of_pairs((0..settings.games / 2).map(pair)))
    });
    Ok(Some(scores.collect()))
}

fn task(candidate: &Candidate, place: usize, game: u32, settings: &ExamSettings) -> Task {
    let against = &settings.against;
    Task {
        id: id(place, game),
        genes: candidate.genes.clone(),
        search: settings.search,
        kind: TaskKind::Game(GameTask {
            seed: seed::derive(settings.seed, u64::from(game / 2)),
            opening: against.opening.clone(),
            white: game.is_multiple_of(2),
            opponent: Opponent::Agent { spec: against.opponent.clone(), depth: against.opponent_depth },
            max_plies: against.max_plies,
        }),
    }
}

fn id(place: usize, game: u32) -> String {
    format!("exam-c{place}-n{game}")
}

fn result(points: f64) -> GameResult {
    if points > 0.75 {
        GameResult::Win
    } else if points < 0.25 {
        GameResult::Loss
    } else {
        GameResult::Draw
    }
}

fn exam_result(name: &str, tally: &Tally) -> ExamResult {
    let estimate = tally.estimate();
    ExamResult {
        name: name.to_owned(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        percent: 100.0 * tally.point_share().unwrap_or_default(),
        elo: estimate.elo,
        elo_error_95: estimate.elo_error_95,
    }
}

/// Writes a document into the directory of a run.
pub fn save(path: &Path, name: &str, document: &impl Serialize) -> Result<(), EvolveError> {
    let file = path.join(name);
    let text = serde_json::to_string_pretty(document).expect("texts and numbers can be written") + "\n";
    atomic_file::write_bytes(&file, text.as_bytes()).map_err(EvolveError::file("write", &file))
}

/// Reads a document of a run; none when it has none.
pub fn load<T: for<'de> Deserialize<'de>>(path: &Path, name: &str) -> Result<Option<T>, EvolveError> {
    let file = path.join(name);
    if !file.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(&file).map_err(EvolveError::file("read", &file))?;
    serde_json::from_str(&text).map(Some).map_err(|error| EvolveError::malformed(&file, error))
}
