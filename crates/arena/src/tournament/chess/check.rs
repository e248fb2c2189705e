//! Verifies a game that was played on another machine.
//!
//! Its moves must be legal, begin with its opening and end where the game was over, and its result must follow from the rules or
//! the adjudication. What only the players know is not verified: their scores, and that one of them failed.

use shakmaty::{ByColor, Color};
use tabia_core::{ChessGame, Game, Outcome, Reason};

use super::referee::{self, Rules};
use super::time_control::TimeControl;
use tabia_games::record::GameRecord;

/// Verifies a game from this start; the error says what is wrong.
pub(super) fn check(
    start: &ChessGame,
    rules: &Rules,
    time_controls: ByColor<TimeControl>,
    record: &GameRecord,
) -> Result<(), String> {
    let expected = referee::unplayed(start, Outcome::draw(Reason::Agreement), String::new());
    let opening = expected.plies.len();
    let same_opening = record.plies.len() >= opening
        && record.plies[..opening] == expected.plies[..]
        && record.plies[opening..].iter().all(|ply| !ply.opening);
    if record.start != expected.start || record.variant != expected.variant || !same_opening {
        return Err("it does not begin where the game begins".to_owned());
    }
    let outcome = record.outcome.ok_or("it has no result")?;
    let mut game = start.clone();
    let over = |game: &ChessGame, played: usize| {
        game.outcome().or_else(|| rules.adjudication.adjudicate(game, &record.plies[..played]))
    };
    for (played, ply) in record.plies.iter().enumerate().skip(opening) {
        if let Some(outcome) = over(&game, played) {
            return Err(format!("it was over before {}, half-move {}: {outcome}", ply.action, played + 1));
        }
        let found =
            game.read_move(&ply.action).map_err(|error| format!("half-move {}: {error}", played + 1))?;
        game.apply(found);
    }
    match over(&game, record.plies.len()) {
        Some(right) if right == outcome => Ok(()),
        Some(right) => Err(format!("it says {outcome}, and its moves give {right}")),
        None if may_fail(&game, time_controls, outcome) => Ok(()),
        None => Err(format!("it says {outcome}, and the game is not over after its moves")),
    }
}

/// Whether a game that is not over can have this outcome by a player's failure.
fn may_fail(game: &ChessGame, time_controls: ByColor<TimeControl>, outcome: Outcome) -> bool {
    let Some(loser) = outcome.winner.map(Color::other) else { return false };
    match outcome.reason {
        Reason::Fault => true,
        Reason::TimeForfeit => time_controls.get(loser).is_timed(),
        Reason::IllegalMove | Reason::Resignation => loser == game.side_to_move(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::tournament::chess::adjudication::Adjudication;
    use crate::tournament::chess::clock::TimeMargins;
    use tabia_games::record::Ply;

    const MATE: &str = "f2f3 e7e5 g2g4 d8h4";

    fn verdict(start: &ChessGame, moves: &str, winner: Option<Color>, reason: Reason) -> Result<(), String> {
        let opening = start.moves().len();
        let ply = |(at, text): (usize, &str)| Ply { opening: at < opening, ..Ply::of(text) };
        let record = GameRecord {
            plies: moves.split_whitespace().enumerate().map(ply).collect(),
            outcome: Some(Outcome { winner, reason }),
            ..GameRecord::default()
        };
        let rules = Rules {
            adjudication: Adjudication { max_moves: Some(3), ..Adjudication::default() },
            time_margins: TimeMargins { margin: Duration::ZERO, stall: Duration::ZERO },
            ponder: false,
        };
        check(start, &rules, ByColor { white: TimeControl::Own, black: TimeControl::Own }, &record)
    }

    #[test]
    fn a_game_that_went_so_is_let_in() {
        let start = ChessGame::default();
        let (white, black) = (Some(Color::White), Some(Color::Black));
        assert_eq!(verdict(&start, MATE, black, Reason::Checkmate), Ok(()));
        let long = "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6";
        assert_eq!(verdict(&start, long, None, Reason::MoveLimit), Ok(()));
        assert_eq!(verdict(&start, "a2a3", white, Reason::Resignation), Ok(()));
        assert_eq!(verdict(&start, "a2a3", black, Reason::Fault), Ok(()));
        let mut opened = start.clone();
        opened.apply(opened.read_move("f2f3").unwrap());
        assert_eq!(verdict(&opened, MATE, black, Reason::Checkmate), Ok(()));
    }

    #[test]
    fn a_game_that_cannot_have_gone_so_is_not() {
        let start = ChessGame::default();
        let (white, black) = (Some(Color::White), Some(Color::Black));
        let mut opened = start.clone();
        opened.apply(opened.read_move("e2e4").unwrap());
        for (start, moves, winner, reason, expected) in [
            (&start, "e2e5", white, Reason::Checkmate, "half-move 1"),
            (&start, MATE, white, Reason::Checkmate, "its moves give"),
            (&start, MATE, None, Reason::Stalemate, "its moves give"),
            (&start, "f2f3 e7e5 g2g4 d8h4 a2a3", black, Reason::Checkmate, "over before a2a3"),
            (&start, "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3", None, Reason::MoveLimit, "over before d2d3"),
            (&start, "a2a3", white, Reason::Checkmate, "not over"),
            (&start, "a2a3", None, Reason::MoveLimit, "not over"),
            (&start, "a2a3", black, Reason::Resignation, "not over"),
            (&start, "a2a3", white, Reason::TimeForfeit, "not over"),
            (&opened, MATE, black, Reason::Checkmate, "does not begin"),
        ] {
            let why = verdict(start, moves, winner, reason).unwrap_err();
            assert!(why.contains(expected), "{moves} {reason:?}: {why}");
        }
    }
}
