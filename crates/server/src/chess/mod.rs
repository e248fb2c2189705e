//! Chess games: how a game was set up ([`setup`]), its state ([`state`]), snapshots of earlier positions
//! ([`snapshot`]), and the game as a record for files ([`record`]).

pub mod error;
pub mod record;
pub mod setup;
pub mod snapshot;
pub mod state;
