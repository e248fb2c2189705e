//! Learning: positions from self-play, and evaluations that learn from them.
//!
//! [`datagen`] plays games and keeps their quiet positions as [`Sample`]s; [`samples`] is the file they travel in.
//! Whatever runs long takes a [`tabia_core::Stop`] and tells its progress to whoever asked; nothing here prints.

pub mod datagen;
pub mod descent;
pub mod sample;
pub mod samples;

pub use sample::Sample;
