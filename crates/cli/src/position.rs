//! Positions as people type them: a FEN in quotes or without, or `startpos`.

use std::path::Path;

use shakmaty::CastlingMode;
use tabia_core::ChessGame;

use crate::failure::Usage;
use crate::games;

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
    .map_err(|error| {
        if text.contains('/') && games::kind(Path::new(text)).is_none() {
            Usage(format!("not a valid position: {error}"))
        } else {
            Usage(no_position(text))
        }
    })
}

/// What is said of a text that does not even look like a FEN.
fn no_position(text: &str) -> String {
    let path = Path::new(text);
    if games::kind(path).is_some() {
        return format!(
            "\"{text}\" names a file of games, expected a position (a FEN or {START}); `tabia analyze {text}` analyses games"
        );
    }
    let what = if path.is_dir() { "a directory" } else { "no position" };
    format!("\"{text}\" is {what}, expected a FEN or {START}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_look_like_a_fen_is_not_taken_for_one() {
        let said = |text: &str| read(text, false).unwrap_err().to_string();
        assert_eq!(said("missing.txt"), "\"missing.txt\" is no position, expected a FEN or startpos");
        assert_eq!(said("src"), "\"src\" is a directory, expected a FEN or startpos");
        assert!(said("games/my.pgn").contains("`tabia analyze games/my.pgn` analyses games"));
        assert!(said("8/8/9/8/8/8/8/8 w - - 0 1").starts_with("not a valid position: rank 6 has '9'"));
    }
}
