//! See `tabia_fuzzing::targets::game_file_never_panics`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| tabia_fuzzing::targets::game_file_never_panics::check(input));
