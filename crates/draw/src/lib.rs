//! Drawings of evaluations and games.
//!
//! A [`tabia_eval::Field`] is 64 numbers. [`drawing`] lays one or several of them over a board as an SVG, [`png`]
//! turns that into pixels, [`terminal`] into coloured cells, and [`npy`] writes the numbers themselves for other
//! programs. [`scale`] decides which colour a number has; all of them ask it. [`graph`] draws a game as a curve, [`line_chart`] and [`dumbbell`]
//! how numbers went in a long run.
//!
//! Everything here is a function from values to text or bytes: no file, no font and no clock is touched. The
//! pieces (`pieces`) and the letters (`lettering`) are drawings of this crate, so that a picture is the same
//! wherever it is looked at (docs/adr/0006-pictures.md).

pub mod color;
pub mod drawing;
pub mod dumbbell;
pub mod escape;
pub mod graph;
mod heatmap;
mod lettering;
pub mod line_chart;
pub mod npy;
mod numbers;
mod pieces;
pub mod png;
pub mod scale;
pub mod svg;
pub mod terminal;

pub use drawing::Drawing;
pub use dumbbell::DumbbellChart;
pub use escape::Escaped;
pub use graph::Graph;
pub use line_chart::{LineChart, Series};
pub use scale::{Pole, Scale, scales, value};
pub use svg::Svg;
