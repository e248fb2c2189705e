//! What is fuzzed: every reader of input that others wrote, and what must hold of it.
//!
//! The [`targets`] are plain functions. `fuzz/` hands them to libFuzzer, which needs a nightly compiler and is guided by
//! coverage; [`mutation`] makes inputs from seeds on any compiler, for tests and `make torture`.
#![allow(missing_docs, reason = "the name of a target says what it checks")]

pub mod mutation;
pub mod targets;
