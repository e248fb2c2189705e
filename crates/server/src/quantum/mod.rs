//! Quantum chess at the server's tables: what a game is ([`play`]), how it is told ([`document`], [`event`]), how its agents
//! think ([`thinking`]) and where it is kept ([`store`]).
//!
//! Tables, streams and threads are those of chess ([`Seated`](crate::game::seated::Seated)). Unlike there, an event
//! does not carry the position after it: a thousand branches are too many to keep for every ply, and whoever watches asks for them.

pub mod document;
pub mod error;
pub mod event;
pub mod play;
pub mod seat;
pub mod store;
pub mod thinking;

use tabia_core::Catalogue;
use tabia_quantum::QuantumGame;

use crate::agents::WarmAgents;
use crate::config::Bounds;
use crate::game::hall::Hall;
use play::QuantumPlay;

/// Everything of quantum chess that handlers share.
pub struct Room {
    /// Who can play it.
    pub catalogue: Catalogue<QuantumGame>,
    /// The games in memory.
    pub hall: Hall<QuantumPlay>,
    /// Agents between two moves.
    pub warm: WarmAgents<QuantumGame>,
}

impl Room {
    /// With everybody who plays it.
    pub fn new(bounds: &Bounds) -> Room {
        Room {
            catalogue: tabia_net::agents::catalogue(),
            hall: Hall::new(bounds.tables),
            warm: WarmAgents::new(bounds.warm_agents),
        }
    }
}
