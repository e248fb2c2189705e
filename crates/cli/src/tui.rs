//! Parts of full-screen terminal interfaces: the [`board`], the evaluation [`bar`], the list of [`moves`], the [`speed`]
//! of a game between agents, [`colors`], and the terminal itself ([`full_screen`]).

pub mod bar;
pub mod board;
pub mod colors;
pub mod full_screen;
pub mod moves;
pub mod speed;
