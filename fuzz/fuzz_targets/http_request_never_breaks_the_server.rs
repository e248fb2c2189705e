//! See `tabia_fuzzing::targets::http_request_never_breaks_the_server`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| tabia_fuzzing::targets::http_request_never_breaks_the_server::check(input));
