//! See `tabia_fuzzing::targets::samples_file_reads_or_says_why`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| tabia_fuzzing::targets::samples_file_reads_or_says_why::check(input));
