//! Lichess's puzzles: `PuzzleId,FEN,Moves,Rating,…`. The first move is the opponent's.

use tabia_core::{ChessGame, Game};

use super::problem::{Problem, Task};

/// Columns that are read, and their positions in a file without a heading.
const COLUMNS: [(&str, usize); 4] = [("PuzzleId", 0), ("FEN", 1), ("Moves", 2), ("Rating", 3)];

/// What the first line of a file may be, after the fault of one that is neither a heading nor a puzzle.
pub const HEADING_HINT: &str =
    "; the first line names the columns PuzzleId, FEN, Moves and Rating, or is a puzzle";

/// Positions of the columns.
#[derive(Copy, Clone, Debug, Default)]
pub struct Columns([usize; 4]);

impl Columns {
    /// From the first line of a file; none if it is no heading.
    pub fn heading(line: &str) -> Option<Columns> {
        let names: Vec<&str> = line.split(',').map(str::trim).collect();
        let at = COLUMNS.map(|(name, _)| names.iter().position(|found| *found == name));
        match at {
            [Some(id), Some(fen), Some(moves), Some(rating)] => Some(Columns([id, fen, moves, rating])),
            _ => None,
        }
    }

    /// As lichess publishes them.
    pub fn usual() -> Columns {
        Columns(COLUMNS.map(|(_, at)| at))
    }
}

pub fn read(line: &str, Columns([id, fen, moves, rating]): Columns) -> Result<Problem, String> {
    let cells: Vec<&str> = line.split(',').collect();
    let cell = |at: usize, name: &str| {
        cells
            .get(at)
            .copied()
            .filter(|cell| !cell.is_empty())
            .ok_or_else(|| format!("the puzzle has no {name}"))
    };
    let mut game =
        ChessGame::from_fen(cell(fen, "FEN")?).map_err(|error| format!("the FEN is no position: {error}"))?;
    let mut played = Vec::new();
    let mut tokens = cell(moves, "moves")?.split_whitespace();
    let first = tokens.next().ok_or("the puzzle has no moves")?;
    let m = game.read_move(first).map_err(|error| error.to_string())?;
    game.apply(m);
    let mut line = game.clone();
    for word in tokens {
        let m = line.read_move(word).map_err(|error| error.to_string())?;
        line.apply(m);
        played.push(m);
    }
    if played.is_empty() {
        return Err("the puzzle has no move to find: after the opponent's move its line ends".to_owned());
    }
    let start = ChessGame::from_position(game.position().clone(), game.mode());
    let rating = cell(rating, "rating")?;
    let rating = rating.parse().map_err(|_| format!("the rating \"{rating}\" is no number"))?;
    let task = Task::Line { moves: played, rating: Some(rating) };
    Ok(Problem { id: cell(id, "id")?.to_owned(), game: start, task })
}
