//! Openings from files.

use std::collections::HashSet;
use std::path::Path;

use tabia_book::Book;
use tabia_core::{ChessGame, Game};

use super::{Opening, Openings, can_begin, walk};
use crate::error::{FileError, LineError};
use crate::{epd, pgn};

/// Known file extensions.
const KINDS: &str = ".epd, .fen, .txt, .pgn, .bin";

/// Options of reading.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// Plies to take of each game; `None` takes all of a game, and [`ReadOptions::WALK_PLIES`] of a book.
    pub plies: Option<usize>,
    /// Strict mode: stop at the first error instead of skipping it.
    pub strict: bool,
    /// Seed of walks through a Polyglot book.
    pub seed: u64,
    /// Largest number of walks.
    pub walks: usize,
}

impl ReadOptions {
    /// Default plies of a walk through a book.
    pub const WALK_PLIES: usize = 12;
    /// Default number of walks.
    pub const WALKS: usize = 1000;
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions { plies: None, strict: false, seed: 1, walks: ReadOptions::WALKS }
    }
}

impl Openings {
    /// Reads a file by its extension. Also returns the errors that were skipped.
    pub fn read(
        path: impl AsRef<Path>,
        options: &ReadOptions,
    ) -> Result<(Openings, Vec<LineError>), OpeningsError> {
        let path = path.as_ref();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let file = path.display().to_string();
        let (list, faults) = match ending.to_ascii_lowercase().as_str() {
            "epd" | "fen" | "txt" => from_epd(&epd::read_file(path)?, &file, options)?,
            "pgn" => from_pgn(pgn::open(path)?, &file, options)?,
            "bin" => (walk::openings(&Book::open(path)?, options), Vec::new()),
            _ => return Err(FileError::Kind { path: path.to_owned(), expected: KINDS }.into()),
        };
        if list.is_empty() {
            let first = faults.into_iter().next();
            return Err(FileError::Empty { file, what: "openings", first }.into());
        }
        Ok((Openings { list }, faults))
    }
}

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Book(#[from] tabia_book::BookError),
}

type Found = (Vec<Opening>, Vec<LineError>);

fn from_epd(text: &str, file: &str, options: &ReadOptions) -> Result<Found, FileError> {
    let (mut list, mut faults) = (Vec::new(), Vec::new());
    for (line, epd) in epd::lines(text, file) {
        let opening = epd.and_then(|epd| {
            can_begin(&epd.game).map_err(|why| LineError { file: file.to_owned(), line, why })?;
            Ok(Opening::of_game(&epd.game, epd.text("id").or_else(|| epd.text("c0"))))
        });
        take(opening, &mut list, &mut faults, options.strict)?;
    }
    Ok((list, faults))
}

fn from_pgn<R: std::io::Read>(
    mut games: pgn::Games<R>,
    file: &str,
    options: &ReadOptions,
) -> Result<Found, FileError> {
    let (mut list, mut faults) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    while let Some(record) = games.next() {
        let line = games.line();
        let opening = record.and_then(|mut record| {
            record.plies.truncate(options.plies.unwrap_or(usize::MAX));
            let fault = |why: String| LineError { file: file.to_owned(), line, why };
            let game = record.play().map_err(|error| fault(error.to_string()))?;
            can_begin(&game).map_err(fault)?;
            Ok((game.key(), Opening::of_game(&game, name(&record))))
        });
        let opening = match opening {
            // Games that differ only later are the same opening.
            Ok((key, _)) if options.plies.is_some() && !seen.insert(key) => continue,
            other => other.map(|(_, opening)| opening),
        };
        take(opening, &mut list, &mut faults, options.strict)?;
    }
    Ok((list, faults))
}

/// The opening's name from a game's tags.
fn name(record: &crate::GameRecord) -> Option<String> {
    let known = |name: &str| record.tag(name).filter(|value| !matches!(*value, "" | "?"));
    known("Opening").or_else(|| known("ECO")).or_else(|| known("Eco")).map(str::to_owned)
}

fn take(
    opening: Result<Opening, LineError>,
    list: &mut Vec<Opening>,
    faults: &mut Vec<LineError>,
    strict: bool,
) -> Result<(), FileError> {
    match opening {
        Ok(opening) => list.push(opening),
        Err(fault) if strict => return Err(fault.into()),
        Err(fault) => faults.push(fault),
    }
    Ok(())
}

/// A game from moves in SAN.
pub(super) fn game_of(moves: &str) -> Result<ChessGame, String> {
    let mut game = ChessGame::default();
    for text in moves.split_whitespace() {
        let m = game.read_move(text).map_err(|error| error.to_string())?;
        game.apply(m);
    }
    Ok(game)
}
