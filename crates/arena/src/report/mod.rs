//! Reports of a tournament: tables for the terminal, an HTML page, plots.
//!
//! Everything is text made from [`Standings`]: nothing here writes a file, and the same standings give the same bytes. The
//! page is self-contained (inline style and plots, no script, no external resources), follows the reader's choice of light
//! or dark, and fits a phone.
//!
//! | report | function |
//! | --- | --- |
//! | tables | [`tables`], each a [`Table`] whose `Display` is aligned text |
//! | the page | [`page`] |
//! | the rating plot as an SVG file | [`rating_plot`] |

mod axis;
mod format;
mod page;
mod plots;
mod standings;
mod table;
mod tables;

pub use page::page;
pub use plots::rating_plot;
pub use standings::{Faults, GameCounts, OpeningScore, Player, SprtCurve, Standings};
pub use table::{Align, Cell, Column, Table};
pub use tables::tables;
