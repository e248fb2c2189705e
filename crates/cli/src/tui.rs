//! Parts of screens in the terminal.

pub mod board;
