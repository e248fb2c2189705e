//! Puzzles in lichess's columns, read from text: a position, the opponent's move and the solution, and the labels.

use shakmaty::{Move, Position, uci::UciMove};
use tabia_core::ChessGame;

use crate::line::{Line, LineError};

/// A puzzle with its labels.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// Its name.
    pub id: String,
    /// The line; the first move is the opponent's.
    pub line: Line,
    /// The labels, as written.
    pub themes: Vec<String>,
}

/// What is wrong with a file of puzzles or a row of it.
#[derive(Debug, thiserror::Error)]
pub enum PuzzleError {
    /// A column is missing.
    #[error("there is no column {0}: the first line should name FEN, Moves and Themes")]
    Column(&'static str),
    /// A row is too short.
    #[error("line {row} has no {column}")]
    Short {
        /// The line of the file, from 1.
        row: usize,
        /// The column.
        column: &'static str,
    },
    /// Its position cannot be read.
    #[error("line {row}: {error}")]
    Fen {
        /// The line of the file, from 1.
        row: usize,
        /// What is wrong.
        error: tabia_core::FenError,
    },
    /// A move is not written as UCI writes moves.
    #[error("line {row}: \"{text}\" is not a move; write it like e2e4")]
    Move {
        /// The line of the file, from 1.
        row: usize,
        /// The move.
        text: String,
    },
    /// A move is not legal.
    #[error("line {row}: {error}")]
    Line {
        /// The line of the file, from 1.
        row: usize,
        /// What is wrong.
        error: LineError,
    },
}

/// Which columns hold what.
struct Columns {
    id: Option<usize>,
    fen: usize,
    moves: usize,
    themes: usize,
}

/// Reads puzzles from the text of a CSV file. Rows that cannot be read are given beside those that can.
pub fn read(text: &str) -> Result<(Vec<Puzzle>, Vec<PuzzleError>), PuzzleError> {
    let mut rows = text.lines().enumerate();
    let head = rows.next().map_or("", |(_, head)| head.trim_start_matches('\u{feff}'));
    let names: Vec<&str> = head.split(',').map(str::trim).collect();
    let column =
        |name: &'static str| names.iter().position(|found| *found == name).ok_or(PuzzleError::Column(name));
    let columns = Columns {
        id: column("PuzzleId").ok(),
        fen: column("FEN")?,
        moves: column("Moves")?,
        themes: column("Themes")?,
    };
    let (mut puzzles, mut faults) = (Vec::new(), Vec::new());
    for (index, row) in rows.filter(|(_, row)| !row.trim().is_empty()) {
        match read_row(&columns, index + 1, row) {
            Ok(puzzle) => puzzles.push(puzzle),
            Err(fault) => faults.push(fault),
        }
    }
    Ok((puzzles, faults))
}

fn read_row(columns: &Columns, row: usize, text: &str) -> Result<Puzzle, PuzzleError> {
    let cells: Vec<&str> = text.split(',').collect();
    let cell = |index: usize, column| cells.get(index).copied().ok_or(PuzzleError::Short { row, column });
    let game =
        ChessGame::from_fen(cell(columns.fen, "FEN")?).map_err(|error| PuzzleError::Fen { row, error })?;
    let mut position = game.position().clone();
    let mut moves: Vec<Move> = Vec::new();
    for text in cell(columns.moves, "Moves")?.split_whitespace() {
        let unreadable = || PuzzleError::Move { row, text: text.to_owned() };
        let uci: UciMove = text.parse().map_err(|_| unreadable())?;
        let m = uci.to_move(&position).map_err(|_| PuzzleError::Line {
            row,
            error: LineError {
                ply: moves.len() + 1,
                text: text.to_owned(),
                fen: tabia_core::chess::fen_of(&position),
            },
        })?;
        position.play_unchecked(m);
        moves.push(m);
    }
    Ok(Puzzle {
        id: columns
            .id
            .and_then(|index| cells.get(index))
            .map_or_else(|| row.to_string(), |id| (*id).to_owned()),
        line: Line::after_opponents_move(game.position(), &moves)
            .map_err(|error| PuzzleError::Line { row, error })?,
        themes: cell(columns.themes, "Themes")?.split_whitespace().map(str::to_owned).collect(),
    })
}
