//! Drawings of evaluations and games.
//!
//! A [`tabia_eval::Field`] is 64 numbers. [`drawing`] draws one or several of them over a board as SVG, [`png`] renders
//! that to pixels, [`terminal`] to coloured cells, and [`npy`] writes the numbers for other programs. All of them use the
//! colour scales of [`scale`]. [`graph`] draws a game as a curve, [`line_chart`] and [`dumbbell`] the results of long
//! runs.
//!
//! Everything here is a function from values to text or bytes, without files, fonts or clocks. The pieces (`pieces`) and
//! the letters (`lettering`) are drawings of this crate, so that a picture looks the same everywhere
//! (docs/adr/0006-pictures.md).

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
