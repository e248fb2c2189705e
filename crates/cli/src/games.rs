//! Game files as people name them: PGN with one or many games, a JSON replay, or many of them, one a line.

use std::io::{self, BufRead};
use std::path::Path;

use anyhow::{Context, bail};
use tabia_core::{printable, wording};
use tabia_games::{GameRecord, GameTree, LineError, pgn, replay};

use crate::failure::Usage;

/// What a file of games is called.
const ENDINGS: [&str; 3] = ["pgn", "json", "jsonl"];

/// A game of a file.
pub struct Game {
    /// Its main line.
    pub record: GameRecord,
    /// With its variations; `None` for quantum chess.
    pub tree: Option<GameTree>,
}

impl Game {
    /// A game without variations.
    pub fn of_record(record: GameRecord) -> Game {
        Game { tree: GameTree::of_record(&record).ok(), record }
    }

    /// The game as PGN.
    pub fn as_pgn(&self) -> Result<String, pgn::WriteError> {
        self.tree.as_ref().map_or_else(|| pgn::write(&self.record), |tree| Ok(pgn::write_tree(tree)))
    }
}

impl From<GameTree> for Game {
    fn from(tree: GameTree) -> Game {
        Game { record: tree.record(), tree: Some(tree) }
    }
}

/// The extension of a path, if it is that of a game file.
pub fn kind(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    ENDINGS.into_iter().find(|known| *known == ending)
}

/// The games of a file as an iterator, so that a file of any size can be read. Skipped games are reported; a file
/// without any readable game is an error.
pub fn stream(path: &Path) -> anyhow::Result<impl Iterator<Item = Game>> {
    let mut games: Box<dyn Iterator<Item = Result<Game, LineError>>> = match kind(path) {
        Some("pgn") => Box::new(pgn::open_trees(path)?.map(|read| {
            read.map(|read| {
                warn("kept as far as it goes", &read.faults);
                Game::from(read.tree)
            })
        })),
        Some("jsonl") => Box::new(replay_lines(path)?),
        Some(_) => {
            let reading = || format!("cannot read {}", path.display());
            let text = std::fs::read_to_string(path).with_context(reading)?;
            let record = replay::read(&text).with_context(reading)?;
            Box::new(std::iter::once(Ok(Game::of_record(record))))
        }
        None => return Err(Usage(format!("{} must end in .pgn, .json or .jsonl", path.display())).into()),
    };
    let mut faults = Vec::new();
    let first = loop {
        match games.next() {
            Some(Ok(game)) => break game,
            Some(Err(fault)) => faults.push(fault),
            None => {
                let why =
                    faults.first().map(|fault| format!("; the first fault: {fault}")).unwrap_or_default();
                bail!("{} has no game{why}", path.display());
            }
        }
    };
    faults.iter().for_each(left_out);
    let rest = games.filter_map(|game| game.inspect_err(left_out).ok());
    Ok(std::iter::once(first).chain(rest))
}

/// Replays, one a line; empty lines are passed over.
fn replay_lines(path: &Path) -> anyhow::Result<impl Iterator<Item = Result<Game, LineError>> + use<>> {
    let file = std::fs::File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let name = path.display().to_string();
    let read = move |(index, line): (usize, io::Result<String>)| {
        let fault = |why: String| LineError { file: name.clone(), line: index + 1, why };
        let line = match line {
            Ok(line) if line.trim().is_empty() => return None,
            Ok(line) => line,
            Err(error) => return Some(Err(fault(error.to_string()))),
        };
        Some(replay::read(&line).map(Game::of_record).map_err(|error| fault(error.to_string())))
    };
    Ok(io::BufReader::new(file).lines().enumerate().filter_map(read))
}

/// The game of a number, from 1. No more of the file is read than it takes.
pub fn number(path: &Path, number: usize) -> anyhow::Result<Game> {
    let mut there = 0;
    for game in stream(path)? {
        there += 1;
        if there == number {
            return Ok(game);
        }
    }
    let there = crate::text::counted(there as u64, "game");
    Err(Usage(format!("there is no game {number}; the file has {there}")).into())
}

/// All games of a file, or the one with a number.
pub fn chosen(path: &Path, chosen: Option<usize>) -> anyhow::Result<Vec<Game>> {
    match chosen {
        Some(chosen) => Ok(vec![number(path, chosen)?]),
        None => Ok(stream(path)?.collect()),
    }
}

fn left_out(fault: &LineError) {
    warn("left out", std::slice::from_ref(fault));
}

/// Reports an error in a file, and that it was skipped.
pub fn warn(what: &str, faults: &[LineError]) {
    for fault in faults {
        eprintln!("tabia: {what}: {}", printable(&wording::plain(&fault.to_string())));
    }
}
