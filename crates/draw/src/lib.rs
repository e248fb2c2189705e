//! Pictures of what an evaluation sees, and of how a game went.
//!
//! A [`tabia_eval::Field`] is 64 numbers. [`sheet`] lays one or several of them over a board as an SVG, [`png`]
//! turns that into pixels, [`terminal`] into coloured cells, and [`npy`] writes the numbers themselves for other
//! programs. [`scale`] decides which colour a number has; all of them ask it. [`graph`] draws a game as a curve, [`curves`] anything else.
//!
//! Everything here is a function from values to text or bytes: no file, no font and no clock is touched. The
//! pieces (`pieces`) and the letters (`lettering`) are drawings of this crate, so that a picture is the same
//! wherever it is looked at (docs/adr/0006-pictures.md).

pub mod color;
pub mod curves;
pub mod graph;
mod heatmap;
mod lettering;
pub mod npy;
mod numbers;
mod pieces;
pub mod png;
pub mod scale;
pub mod sheet;
mod svg;
pub mod terminal;

pub use curves::{Curve, Curves};
pub use graph::Graph;
pub use scale::{Pole, Scale, scales};
pub use sheet::Sheet;
