//! Results and tags to [`Outcome`]s and back.

use shakmaty::{Color, KnownOutcome};
use tabia_core::{ChessGame, Outcome, Reason};

/// The `Termination` tag in the standard's vocabulary.
pub fn termination(outcome: Option<Outcome>) -> &'static str {
    match outcome.map(|outcome| outcome.reason) {
        None => "unterminated",
        Some(Reason::TimeForfeit) => "time forfeit",
        Some(Reason::IllegalMove) => "rules infraction",
        Some(Reason::Fault) => "abandoned",
        Some(Reason::Adjudication | Reason::MoveLimit) => "adjudication",
        Some(_) => "normal",
    }
}

/// The outcome of a result: by the tags, else by the board, else the usual one.
pub fn outcome(
    result: KnownOutcome,
    reason_tag: Option<&str>,
    termination: Option<&str>,
    game: &ChessGame,
) -> Outcome {
    let winner = result.winner();
    let on_the_board = game.outcome().filter(|outcome| outcome.winner == winner);
    let reason = reason_tag
        .and_then(Reason::named)
        .or(on_the_board.map(|outcome| outcome.reason))
        .or(termination.and_then(by_termination))
        .unwrap_or(if winner.is_some() { Reason::Resignation } else { Reason::Agreement });
    Outcome { winner, reason }
}

/// By the vocabularies of the standard, lichess, cutechess and fastchess.
fn by_termination(text: &str) -> Option<Reason> {
    match text.to_ascii_lowercase().as_str() {
        "time forfeit" => Some(Reason::TimeForfeit),
        "rules infraction" | "illegal move" => Some(Reason::IllegalMove),
        "abandoned" | "stalled connection" | "disconnect" | "death" | "emergency" => Some(Reason::Fault),
        "adjudication" => Some(Reason::Adjudication),
        _ => None,
    }
}

/// Whether a tag's value is the standard's placeholder for unknown.
pub fn is_placeholder(value: &str) -> bool {
    matches!(value, "" | "?" | "????.??.??")
}

/// `1-0`, `0-1`, `1/2-1/2`; `None` for anything else.
pub fn result(text: &str) -> Option<KnownOutcome> {
    match text {
        "1-0" => Some(KnownOutcome::Decisive { winner: Color::White }),
        "0-1" => Some(KnownOutcome::Decisive { winner: Color::Black }),
        "1/2-1/2" => Some(KnownOutcome::Draw),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_knows_a_reason_that_the_file_does_not() {
        let mate = ChessGame::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
        let white = result("1-0").unwrap();
        assert_eq!(outcome(white, None, Some("Normal"), &mate).reason, Reason::Checkmate);
        let start = ChessGame::default();
        assert_eq!(outcome(white, None, Some("Time forfeit"), &start).reason, Reason::TimeForfeit);
        assert_eq!(outcome(white, None, None, &start).reason, Reason::Resignation);
        // White resigned although Black is mated.
        let black = result("0-1").unwrap();
        assert_eq!(outcome(black, None, None, &mate), Outcome::win(Color::Black, Reason::Resignation));
    }
}
