//! Positions as Python hands them over: a FEN, and the moves played since.

use pyo3::prelude::*;
use shakmaty::Chess;
use tabia_core::{ChessGame, Game, fen};

use crate::work::refused;

/// The position of a FEN.
pub fn read(text: &str) -> PyResult<Chess> {
    fen::read(text, None).map(|(position, _)| position).map_err(refused)
}

/// A game from a FEN and the moves after it.
pub fn game(text: &str, moves: &[String]) -> PyResult<ChessGame> {
    let mut game = ChessGame::from_fen(text).map_err(refused)?;
    for text in moves {
        let m = game.read_move(text).map_err(refused)?;
        game.apply(m);
    }
    Ok(game)
}
