//! Positions and games that are measured with, all in this program: nothing needs to be installed.
//!
//! | file | what | made by |
//! | --- | --- | --- |
//! | `masters.txt` | the first ten moves of famous games | history |
//! | `mates.epd` | mates in two and in three | `tools/positions.py` |
//! | `wins.epd` | a piece is won within three plies, within five | the same |
//!
//! Tests prove every one of them: moves are legal, a mate is found where it should be and not sooner, a piece is won at that depth and not at the one before.

use rand::Rng;
use rand::seq::SliceRandom;
use shakmaty::{Board, Chess, Color, Move, Piece, Position, Role, Square};
use tabia_arena::suite::{self, Problem};
use tabia_core::{ChessGame, Game, seed};
use tabia_games::{GameRecord, epd};

use crate::error::ReproduceError;

const MASTERS: &str = include_str!("masters.txt");
const MATES: &str = include_str!("mates.epd");
const WINS: &str = include_str!("wins.epd");

/// The longest random game that leads to a position, in plies.
const LONGEST_PLAYOUT: u32 = 160;
/// Every n-th move is a capture where there is one, so that endgames are reached too.
const CAPTURE_EVERY: u32 = 3;

/// A position of a random game, with a move left to make; the same number gives the same position.
pub fn random(number: u64) -> Chess {
    let mut random = seed::random(number);
    let mut position = Chess::default();
    for _ in 0..random.random_range(0..LONGEST_PLAYOUT) {
        let moves = position.legal_moves();
        let captures: Vec<Move> = moves.iter().copied().filter(|m| m.is_capture()).collect();
        let among = if random.random_ratio(1, CAPTURE_EVERY) && !captures.is_empty() {
            &captures[..]
        } else {
            &moves[..]
        };
        let mut next = position.clone();
        next.play_unchecked(among[random.random_range(0..among.len())]);
        if next.legal_moves().is_empty() {
            break;
        }
        position = next;
    }
    position
}

/// These pieces on random squares, if neither side is in check and the kings are not adjacent.
pub fn placed(pieces: &[(Role, Color)], seed: u64) -> Option<Board> {
    let mut squares: Vec<Square> = Square::ALL.to_vec();
    squares.shuffle(&mut seed::random(seed));
    let mut board = Board::empty();
    for ((role, color), square) in pieces.iter().zip(squares) {
        board.set_piece_at(square, Piece { color: *color, role: *role });
    }
    let safe = |color: Color| {
        board.king_of(color).is_some_and(|king| board.attacks_to(king, !color, board.occupied()).is_empty())
    };
    (safe(Color::White) && safe(Color::Black)).then_some(board)
}

/// The first moves of the games in this program.
pub fn masters() -> Result<Vec<Vec<Move>>, ReproduceError> {
    let lines = MASTERS.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, moves) = line.split_once(": ").unwrap_or(("", line));
            let mut game = ChessGame::default();
            for word in moves.split_whitespace() {
                let chosen = game
                    .read_move(word)
                    .map_err(|error| ReproduceError::Settings(format!("{name}: {error}")))?;
                game.apply(chosen);
            }
            Ok(game.moves().to_vec())
        })
        .collect()
}

/// The same of games from a file, those from the usual start.
pub fn masters_of(records: &[GameRecord], plies: usize) -> Vec<Vec<Move>> {
    let usual = records.iter().filter(|record| record.start.is_none());
    usual
        .filter_map(|record| {
            let mut moves = record.moves().ok()?;
            moves.truncate(plies);
            (moves.len() == plies).then_some(moves)
        })
        .collect()
}

/// Mates in two or in three.
pub fn mates(moves: i32) -> Result<Vec<Problem>, ReproduceError> {
    let problems = problems(MATES, "mates.epd")?;
    Ok(problems
        .into_iter()
        .filter(|problem| matches!(problem.task, suite::Task::Mate { moves: there, .. } if there == moves))
        .collect())
}

/// Pieces won within three plies or within five: the name of each begins with its depth.
pub fn wins(plies: u32) -> Result<Vec<Problem>, ReproduceError> {
    let start = format!("win{plies}.");
    Ok(problems(WINS, "wins.epd")?.into_iter().filter(|problem| problem.id.starts_with(&start)).collect())
}

fn problems(text: &str, file: &str) -> Result<Vec<Problem>, ReproduceError> {
    epd::lines(text, file)
        .map(|(line, epd)| {
            let epd = epd.map_err(tabia_games::FileError::from)?;
            suite::of_epd(&epd).map_err(|why| ReproduceError::Settings(format!("{file}:{line}: {why}")))
        })
        .collect()
}

#[cfg(test)]
mod proof;
#[cfg(test)]
mod tests;
