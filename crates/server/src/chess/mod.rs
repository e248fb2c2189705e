//! Chess games: what one was set up with ([`setup`]), its state ([`state`]), what is kept of earlier positions
//! ([`snapshot`]), and the game as a record for files ([`record`]).

pub mod error;
pub mod record;
pub mod setup;
pub mod snapshot;
pub mod state;
