//! Any text is a file of puzzles in lichess's columns or an error with words in it. The motifs of a puzzle that was read can
//! be looked for.

use tabia_coach::{puzzle, tagging};

/// Puzzles whose motifs are looked for: a line costs more than reading it.
const LOOKED_FOR: usize = 4;

/// Reads the input; panics where what must hold does not.
pub fn check(text: &str) {
    match puzzle::read(text) {
        Ok((mut puzzles, faults)) => {
            assert!(puzzles.len() + faults.len() < text.lines().count());
            assert!(faults.iter().all(|fault| !fault.to_string().is_empty()));
            puzzles.truncate(LOOKED_FOR);
            assert_eq!(tagging::compare(&puzzles).puzzles, puzzles.len());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
