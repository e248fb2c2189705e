//! See `tabia_fuzzing::targets::puzzle_file_reads_or_says_why`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &str| tabia_fuzzing::targets::puzzle_file_reads_or_says_why::check(input));
