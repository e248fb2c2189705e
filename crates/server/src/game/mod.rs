//! Games: what one is ([`play`]), how it is told ([`document`]), where it is played ([`table`]), and all of them
//! together ([`hall`]).

pub mod clock;
mod decisions;
pub mod document;
pub mod error;
pub mod event;
pub mod hall;
pub mod outcome;
pub mod play;
pub mod record;
pub mod seated;
pub mod setup;
pub mod side;
pub mod table;
pub mod thinking;
