//! See `tabia_fuzzing::targets::grid_message_reads_or_is_ignored`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| tabia_fuzzing::targets::grid_message_reads_or_is_ignored::check(input));
