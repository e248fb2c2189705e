//! A tournament on paper: tables for the terminal, a page for the browser, plots for both.
//!
//! Everything is made from one value, [`Standings`], and is text: nothing here writes a file, and the same standings
//! give the same bytes. The page stands alone (style and pictures inside, no script, nothing fetched), follows the
//! reader's choice of light or dark, and fits a phone. The pictures have no identifiers, so that several may stand
//! in one page.
//!
//! | wanted | call |
//! | --- | --- |
//! | tables, to be shown in any way | [`tables`], each a [`Table`] whose `Display` is aligned text |
//! | the page | [`page`] |
//! | the rating plot alone, for a document | [`rating_plot`] |

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
