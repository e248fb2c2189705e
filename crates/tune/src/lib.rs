//! Training: data from self-play, gradient descent on evaluations, and SPSA on the search.
//!
//! [`datagen`] plays games and stores them with their scores; [`games`] is their compact file format. Their quiet
//! positions are [`Sample`]s, with the format [`samples`]; [`exchange`] converts PGN and EPD from and to samples,
//! [`text_formats`] the texts of other trainers. [`descent`] trains evaluations, [`nnue`] the network. [`spsa`] tunes
//! search parameters by games. A [`run`] is a directory with a manifest. Long jobs take a [`tabia_core::Stop`] and report
//! their progress; nothing here prints.

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
pub mod visited;

pub use sample::Sample;
