//! Any lines are training positions in the texts of other trainers (bullet's `.txt`, Stockfish's `.plain`), or errors with
//! words in them. A position that was read survives being written.

use tabia_tune::Sample;
use tabia_tune::text_formats::{PlainReader, from_bullet, to_bullet, to_plain};

/// Reads the input; panics where what must hold does not.
pub fn check(text: &str) {
    for line in text.lines() {
        match from_bullet(line) {
            Ok(sample) => bullet_survives(&sample),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    for sample in plain(text) {
        let written = to_plain(&sample).expect("a position that was read can be written");
        assert_eq!(plain(&written), [sample], "{written}");
    }
}

fn bullet_survives(sample: &Sample) {
    let line = to_bullet(sample).expect("a position that was read can be written");
    assert_eq!(from_bullet(&line).as_ref(), Ok(sample), "{line}");
}

fn plain(text: &str) -> Vec<Sample> {
    let mut reader = PlainReader::default();
    let mut samples = Vec::new();
    for line in text.lines() {
        match reader.line(line) {
            Ok(sample) => samples.extend(sample),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    samples
}
