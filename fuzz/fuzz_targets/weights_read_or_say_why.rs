//! See `tabia_fuzzing::targets::weights_read_or_say_why`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| tabia_fuzzing::targets::weights_read_or_say_why::check(input));
