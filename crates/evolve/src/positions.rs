//! Positions with known answers, as a measure of fitness: best moves, masters' moves, or a mentor's verdict.

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

/// The name of Tabia's own positions.
pub const BUILT_IN: &str = "built-in";

/// Positions of games that the engine played against itself, labelled by it ([`crate::label`]): nothing needs to be installed.
const OWN: &str = include_str!("positions.epd");

/// Fitness of having found everything.
pub const ALL: f64 = 1000.0;

/// Of a game, positions before this half-move are everybody's, and after it there must be something left to play.
const FIRST_PLY: usize = 16;
const LAST_PLIES: usize = 10;

/// A pawn in the scale of chances: this many centipawns are ten to one.
const TEN_TO_ONE_CP: f64 = 400.0;

/// A position, and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labelled {
    /// The position.
    pub fen: String,
    /// Moves as UCI writes them, and their points; the rest have none.
    pub moves: Vec<(String, u32)>,
    /// What it is worth to the side to move, if somebody said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worth_cp: Option<i32>,
}

/// Positions of a source: `built-in`, a file of EPD, or a file of games, from each of which a master's move is drawn.
pub fn read(source: &str, seed: u64) -> Result<Vec<Labelled>, EvolveError> {
    let path = Path::new(source);
    let is_pgn = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"));
    let list = if source == BUILT_IN {
        from_epd(OWN, BUILT_IN)?
    } else if is_pgn {
        masters(path, seed)?
    } else {
        let text = fs::read_to_string(path).map_err(FileError::reading(path))?;
        from_epd(&text, source)?
    };
    if list.is_empty() {
        return Err(FileError::Empty { file: source.to_owned(), what: "positions", first: None }.into());
    }
    Ok(list)
}

fn from_epd(text: &str, file: &str) -> Result<Vec<Labelled>, EvolveError> {
    let mut list = Vec::new();
    for (_, line) in epd::lines(text, file) {
        let epd = line.map_err(FileError::from)?;
        if epd.game.outcome().is_none() {
            list.extend(labelled(&epd));
        }
    }
    Ok(list)
}

/// What a line says: the moves of `bm` or the points of suites that give some, and the value of `ce`.
fn labelled(epd: &Epd) -> Option<Labelled> {
    let worth_cp = epd.text("ce").and_then(|text| text.parse().ok());
    let moves: Vec<(String, u32)> = match suite::of_epd(epd) {
        Ok(Problem { task: Task::Moves { best, points, .. }, .. }) => {
            let points = if points.is_empty() { best.iter().map(|m| (*m, 1)).collect() } else { points };
            points.into_iter().map(|(m, points)| (epd.game.write_move(m), points)).collect()
        }
        Ok(problem) => problem.best().into_iter().map(|m| (epd.game.write_move(m), 1)).collect(),
        Err(_) => Vec::new(),
    };
    (!moves.is_empty() || worth_cp.is_some()).then(|| Labelled { fen: epd.game.fen(), moves, worth_cp })
}

/// One position of each game, and what was played there.
fn masters(path: &Path, seed: u64) -> Result<Vec<Labelled>, EvolveError> {
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
        list.push(Labelled { fen: before.fen(), moves: vec![(played, 1)], worth_cp: None });
    }
    Ok(list)
}

/// What positions are: a hash of them all.
pub fn fingerprint(list: &[Labelled]) -> String {
    let mut hash = Sha256::new();
    for position in list {
        hash.update(serde_json::to_vec(position).expect("texts and numbers can be written"));
    }
    crate::files::hex(&hash.finalize())
}

/// Some of the positions, drawn by a seed; in their order.
pub fn sample(list: &[Labelled], count: usize, seed: u64) -> Vec<Labelled> {
    let mut drawn = index::sample(&mut seed::random(seed), list.len(), count.min(list.len())).into_vec();
    drawn.sort_unstable();
    drawn.into_iter().map(|place| list[place].clone()).collect()
}

/// The share of points an agent gets, of [`ALL`]. None when it was stopped.
pub fn solve(
    agent: &mut dyn Agent<ChessGame>,
    list: &[Labelled],
    stop: &Stop,
) -> Result<Option<f64>, String> {
    let (mut points, mut most) = (0, 0);
    for position in list {
        let game = ChessGame::from_fen(&position.fen).map_err(|error| error.to_string())?;
        agent.new_game();
        let chosen =
            agent.choose(&game, &Limits::default(), stop, &mut |_| {}).map_err(|error| error.to_string())?;
        if stop.is_stopped() {
            return Ok(None);
        }
        // Castling can be written two ways, so that moves are compared and not texts.
        let worth =
            |text: &str| text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(game.position()).ok());
        points += position.moves.iter().find(|(text, _)| worth(text) == Some(chosen)).map_or(0, |(_, n)| *n);
        most += position.moves.iter().map(|(_, points)| *points).max().unwrap_or(0);
    }
    Ok(Some(ALL * f64::from(points) / f64::from(most.max(1))))
}

/// How near an evaluation is to a mentor's, of [`ALL`]: both are taken as chances, and the root of the mean square of what lies between
/// them is what is lacking.
pub fn agree(mut evaluation: Chromosome, list: &[Labelled]) -> Result<f64, String> {
    let (mut squares, mut count) = (0.0, 0u32);
    for position in list {
        let Some(worth_cp) = position.worth_cp else { continue };
        let game = ChessGame::from_fen(&position.fen).map_err(|error| error.to_string())?;
        let own = evaluation.relative(View::from(game.position()));
        squares += (chance(f64::from(own.raw())) - chance(f64::from(worth_cp))).powi(2);
        count += 1;
    }
    if count == 0 {
        return Err("no position says what it is worth".to_owned());
    }
    Ok(ALL * (1.0 - (squares / f64::from(count)).sqrt()))
}

fn chance(cp: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-cp / TEN_TO_ONE_CP))
}
