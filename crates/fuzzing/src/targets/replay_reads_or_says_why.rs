//! Any text is a replay or an error with words in it; a replay survives being written down.

use tabia_games::replay;

/// Reads the input; panics where what must hold does not.
pub fn check(text: &str) {
    match replay::read(text) {
        Ok(record) => {
            let written = replay::write(&record);
            assert_eq!(replay::read(&written).expect("what was written is read"), record, "{written}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
