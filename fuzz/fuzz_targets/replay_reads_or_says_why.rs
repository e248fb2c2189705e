//! Any text is a replay or an error with words in it; a replay survives being written down.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabia_arena::replay;

fuzz_target!(|text: &str| {
    match replay::read(text) {
        Ok(record) => {
            let written = replay::write(&record);
            assert_eq!(replay::read(&written).expect("what was written is read"), record, "{written}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
