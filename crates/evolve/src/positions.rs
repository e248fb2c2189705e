//! Labelled positions as a measure of fitness: best moves, masters' moves, or a mentor's scores.

use std::fs;
use std::path::Path;

use rand::Rng;
use rand::seq::index;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shakmaty::uci::UciMove;
use tabia_arena::suite::{self, Problem, Task};
use tabia_core::{Agent, ChessGame, Game, Limits, Stop, seed};
use tabia_eval::chromosome::Chromosome;
use tabia_eval::{Evaluate, View};
use tabia_games::epd::{self, Epd};
use tabia_games::{FileError, pgn};

use crate::error::EvolveError;

/// Name of the bundled positions.
pub const BUILT_IN: &str = "built-in";

/// Positions from self-play of the engine, labelled by it ([`crate::label`]).
const BUILT_IN_EPD: &str = include_str!("positions.epd");

/// Largest fitness by positions.
pub const MAX_FITNESS: f64 = 1000.0;

/// A position is taken from this ply on, and this many plies before the game's end.
const FIRST_PLY: usize = 16;
const LAST_PLIES: usize = 10;

/// Scale of the logistic win probability: this many centipawns are odds of ten to one.
const LOGISTIC_SCALE_CP: f64 = 400.0;

/// A position with its label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelledPosition {
    pub fen: String,
    /// Moves in UCI notation with their points; other moves have none.
    pub moves: Vec<(String, u32)>,
    /// Score for the side to move in centipawns, if labelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "worth_cp")]
    pub score_cp: Option<i32>,
}

/// Positions of a source: `built-in`, a file of EPD, or a file of games, from each of which a master's move is drawn.
pub fn read(source: &str, seed: u64) -> Result<Vec<LabelledPosition>, EvolveError> {
    let path = Path::new(source);
    let is_pgn = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"));
    let list = if source == BUILT_IN {
        from_epd(BUILT_IN_EPD, BUILT_IN)?
    } else if is_pgn {
        masters(path, seed)?
    } else {
        let text = fs::read_to_string(path).map_err(FileError::reading(path))?;
        from_epd(&text, source)?
    };
    if list.is_empty() {
        return Err(FileError::Empty {
            file: source.to_owned(),
            what: "position with a best move (bm) or a score (ce)",
            first: None,
        }
        .into());
    }
    Ok(list)
}

fn from_epd(text: &str, file: &str) -> Result<Vec<LabelledPosition>, EvolveError> {
    let mut list = Vec::new();
    for (_, line) in epd::lines(text, file) {
        let epd = line.map_err(FileError::from)?;
        if epd.game.outcome().is_none() {
            list.extend(labelled(&epd));
        }
    }
    Ok(list)
}

/// The label of an EPD line: the moves of `bm` or of scored suites, and the score `ce`.
fn labelled(epd: &Epd) -> Option<LabelledPosition> {
    let score_cp = epd.text("ce").and_then(|text| text.parse().ok());
    let moves: Vec<(String, u32)> = match suite::of_epd(epd) {
        Ok(Problem { task: Task::Moves { best, points, .. }, .. }) => {
            let points = if points.is_empty() { best.iter().map(|m| (*m, 1)).collect() } else { points };
            points.into_iter().map(|(m, points)| (epd.game.write_move(m), points)).collect()
        }
        Ok(problem) => problem.best().into_iter().map(|m| (epd.game.write_move(m), 1)).collect(),
        Err(_) => Vec::new(),
    };
    (!moves.is_empty() || score_cp.is_some()).then(|| LabelledPosition {
        fen: epd.game.fen(),
        moves,
        score_cp,
    })
}

/// One position of each game, with the move played.
fn masters(path: &Path, seed: u64) -> Result<Vec<LabelledPosition>, EvolveError> {
    let (records, _) = pgn::read_all(path, false)?;
    let mut list = Vec::new();
    for (number, record) in records.iter().enumerate() {
        let Ok(game) = record.play() else { continue };
        let Some(room) = game.moves().len().checked_sub(FIRST_PLY + LAST_PLIES).filter(|room| *room > 0)
        else {
            continue;
        };
        let mut random = seed::random(seed::derive(seed, number as u64));
        let ply = FIRST_PLY + random.random_range(0..room);
        let mut before = ChessGame::from_position(game.start().clone(), game.mode());
        for m in &game.moves()[..ply] {
            before.apply(*m);
        }
        let played = before.write_move(game.moves()[ply]);
        list.push(LabelledPosition { fen: before.fen(), moves: vec![(played, 1)], score_cp: None });
    }
    Ok(list)
}

/// SHA-256 of all positions, in hexadecimal.
pub fn fingerprint(list: &[LabelledPosition]) -> String {
    let mut hash = Sha256::new();
    for position in list {
        hash.update(serde_json::to_vec(position).expect("texts and numbers can be written"));
    }
    format!("{:x}", hash.finalize())
}

/// A random sample of the positions, in their order.
pub fn sample(list: &[LabelledPosition], count: usize, seed: u64) -> Vec<LabelledPosition> {
    let mut drawn = index::sample(&mut seed::random(seed), list.len(), count.min(list.len())).into_vec();
    drawn.sort_unstable();
    drawn.into_iter().map(|place| list[place].clone()).collect()
}

/// The share of points that an agent scores, times [`MAX_FITNESS`]; `None` if stopped.
pub fn solve(
    agent: &mut dyn Agent<ChessGame>,
    list: &[LabelledPosition],
    stop: &Stop,
) -> Result<Option<f64>, String> {
    let (mut points, mut max_points) = (0, 0);
    for position in list {
        let game = ChessGame::from_fen(&position.fen).map_err(|error| error.to_string())?;
        agent.new_game();
        let chosen =
            agent.choose(&game, &Limits::default(), stop, &mut |_| {}).map_err(|error| error.to_string())?;
        if stop.is_stopped() {
            return Ok(None);
        }
        // Castling has two notations in UCI, so moves are compared, not texts.
        let worth =
            |text: &str| text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(game.position()).ok());
        points += position.moves.iter().find(|(text, _)| worth(text) == Some(chosen)).map_or(0, |(_, n)| *n);
        max_points += position.moves.iter().map(|(_, points)| *points).max().unwrap_or(0);
    }
    Ok(Some(MAX_FITNESS * f64::from(points) / f64::from(max_points.max(1))))
}

/// Agreement of an evaluation with a mentor's scores: one minus the root mean square error of win probabilities, times
/// [`MAX_FITNESS`].
pub fn compare_with_mentor(mut evaluation: Chromosome, list: &[LabelledPosition]) -> Result<f64, String> {
    let (mut squares, mut count) = (0.0, 0u32);
    for position in list {
        let Some(score_cp) = position.score_cp else { continue };
        let game = ChessGame::from_fen(&position.fen).map_err(|error| error.to_string())?;
        let own = evaluation.relative(View::from(game.position()));
        squares += (win_probability(f64::from(own.raw())) - win_probability(f64::from(score_cp))).powi(2);
        count += 1;
    }
    if count == 0 {
        return Err("no position has a score".to_owned());
    }
    Ok(MAX_FITNESS * (1.0 - (squares / f64::from(count)).sqrt()))
}

fn win_probability(cp: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-cp / LOGISTIC_SCALE_CP))
}
