//! Opening books, opening names and endgame tablebases.
//!
//! [`polyglot`] reads and writes opening books, [`syzygy`] probes endgame tablebases. Neither decides for the engine: a
//! book returns weighted moves and the caller supplies the random number; a tablebase returns results and the caller
//! decides what a cursed win is worth. Files are touched only by functions named `open` and `write`, and by
//! [`syzygy::Tables`], which opens tables when they are first needed. [`names`] has the names of openings built in.

pub mod names;
pub mod polyglot;
pub mod syzygy;

pub use names::{Names, OpeningName, position_key};
pub use polyglot::{Book, BookBuilder, BookError, BookFault, BookMove};
pub use syzygy::{RootMove, TableWdl, Tables, TablesError};
