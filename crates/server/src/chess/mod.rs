//! Chess games: what one was set up with ([`setup`]), its state ([`state`]), its events ([`event`]), how its agents think
//! ([`thinking`]), and how it is written as JSON ([`document`]) and as a record ([`record`]).

mod decisions;
pub mod document;
pub mod error;
pub mod event;
pub mod kind;
pub mod record;
pub mod setup;
pub mod state;
pub mod thinking;
