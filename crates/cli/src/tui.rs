//! Pieces of screens that fill a terminal: the [`board`], the evaluation as a [`bar`], the list of [`moves`], the
//! [`pace`] of a game that plays by itself, which [`colors`] there are, and the terminal itself ([`whole`]).

pub mod bar;
pub mod board;
pub mod colors;
pub mod full_screen;
pub mod moves;
pub mod speed;
