//! Positions as people type them: a FEN in quotes or without, or `startpos`.

use shakmaty::CastlingMode;
use tabia_core::ChessGame;

use crate::failure::Usage;

/// The word for the start of a game, as UCI has it.
pub const START: &str = "startpos";

/// Reads a position; nothing at all is the start of a game. Without `chess960`, that variant is recognised by its
/// castling rights.
pub fn read(text: &str, chess960: bool) -> Result<ChessGame, Usage> {
    let mode = chess960.then_some(CastlingMode::Chess960);
    if text.is_empty() || text == START {
        return Ok(ChessGame::default().in_mode(mode.unwrap_or(CastlingMode::Standard)));
    }
    match mode {
        Some(mode) => ChessGame::from_fen_in_mode(text, mode),
        None => ChessGame::from_fen(text),
    }
    .map_err(|error| Usage(format!("not a valid position: {error}")))
}
