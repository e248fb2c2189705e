//! Quantum chess games: their state ([`state`]), their events ([`event`]), how their agents think ([`thinking`]), how they are
//! written as JSON ([`document`]) and saved ([`store`]).
//!
//! Sessions, streams and engine slots are those of chess ([`GameKind`](crate::sessions::kind::GameKind)). Unlike there, an event does
//! not carry the position after it: a position may have a thousand branches. Watchers request it.

pub mod document;
pub mod error;
pub mod event;
pub mod kind;
pub mod state;
pub mod store;
pub mod thinking;

use tabia_core::Catalogue;
use tabia_quantum::QuantumGame;

use crate::agents::AgentCache;
use crate::config::Bounds;
use crate::sessions::Sessions;
use state::QuantumGameState;

/// Everything of quantum chess that handlers share.
pub struct QuantumContext {
    /// Who can play it.
    pub catalogue: Catalogue<QuantumGame>,
    /// The games in memory.
    pub sessions: Sessions<QuantumGameState>,
    /// Agents between two moves.
    pub agent_cache: AgentCache<QuantumGame>,
}

impl QuantumContext {
    /// With everybody who plays it.
    pub fn new(bounds: &Bounds) -> QuantumContext {
        QuantumContext {
            catalogue: tabia_net::agents::catalogue(),
            sessions: Sessions::new(bounds.sessions),
            agent_cache: AgentCache::new(bounds.warm_agents),
        }
    }
}
