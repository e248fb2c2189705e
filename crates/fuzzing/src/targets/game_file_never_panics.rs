//! Any bytes are games, or faults with words and a line; a game that was read can be written, and is read back with
//! the same moves.

use tabia_games::{GameRecord, pgn};

/// Reads the input; panics where what must hold does not.
pub fn check(bytes: &[u8]) {
    for game in pgn::Games::new(bytes, "fuzz") {
        match game {
            Ok(record) => {
                let text = pgn::write(&record).expect("a game that was read can be played");
                let again = pgn::read_text(&text).unwrap_or_else(|fault| panic!("{fault} in\n{text}"));
                assert_eq!(again.len(), 1, "{text}");
                assert_eq!(moves(&again[0]), moves(&record), "{text}");
                assert_eq!((&again[0].start, again[0].outcome), (&record.start, record.outcome), "{text}");
            }
            Err(fault) => assert!(!fault.why.is_empty() && fault.line > 0),
        }
    }
}

fn moves(record: &GameRecord) -> Vec<&str> {
    record.plies.iter().map(|ply| ply.action.as_str()).collect()
}
