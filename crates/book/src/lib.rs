//! What is known about chess before anyone searches: opening books and endgame tables.
//!
//! Books and tables are lookups in files that others made: [`polyglot`] reads and writes opening books, [`syzygy`]
//! probes endgame tables. Neither chooses for the engine: a book answers with weighted moves and the caller brings the
//! random number, a table answers with results and the caller decides what a cursed win is worth. Files are touched
//! only by functions named `open` and `write`, and by the tables that [`syzygy::Tables`] opens as they are first
//! needed. What openings are called, [`names`] knows by itself.

pub mod names;
pub mod polyglot;
pub mod syzygy;

pub use names::{Names, OpeningName};
pub use polyglot::{Book, BookBuilder, BookError, BookFault, BookMove};
pub use syzygy::{RootMove, TableWdl, Tables, TablesError};
