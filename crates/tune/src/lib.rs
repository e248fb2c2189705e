//! Learning: positions from self-play, evaluations that learn from them, and searches that learn from games.
//!
//! [`datagen`] plays games and keeps them with their scores; [`games`] is the compact file they travel in. Their quiet
//! positions are [`Sample`]s, whose file is [`samples`]; [`exchange`] turns PGN and EPD into samples and back,
//! [`text_formats`] the texts of other trainers. [`descent`] learns from them. [`spsa`] tunes the numbers of the search by
//! games. A [`run`] is a directory that says what was asked of it.
//! Whatever runs long takes a [`tabia_core::Stop`] and tells its progress to whoever asked; nothing here prints.

pub mod datagen;
pub mod descent;
pub mod exchange;
pub mod games;
pub mod nnue;
pub mod run;
pub mod sample;
pub mod samples;
pub mod spsa;
pub mod text_formats;

pub use sample::Sample;
