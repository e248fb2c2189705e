//! See `tabia_fuzzing::targets::uci_line_never_panics`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &str| tabia_fuzzing::targets::uci_line_never_panics::check(input));
