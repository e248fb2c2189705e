//! Players, and limits for agents.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tabia_core::Limits;
use utoipa::ToSchema;

/// Search limits of an agent; the first one reached ends the search. Without any, the agent's own options decide, or
/// one second.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ThinkLimits {
    /// Milliseconds a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, example = 500)]
    pub movetime_ms: Option<u64>,
    /// Plies to look ahead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 120)]
    pub depth: Option<u32>,
    /// Nodes a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub nodes: Option<u64>,
    /// A rating to play at, for agents that have the option `elo`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 600, maximum = 2600, example = 1400)]
    pub elo: Option<u32>,
}

impl ThinkLimits {
    /// Why the limits are invalid, if they are.
    pub fn fault(&self) -> Option<&'static str> {
        match self {
            ThinkLimits { movetime_ms: Some(0), .. } => Some("movetime_ms is 0; it takes at least 1"),
            ThinkLimits { depth: Some(0), .. } => Some("depth is 0; it takes at least 1"),
            ThinkLimits { depth: Some(121..), .. } => Some("depth is beyond 120"),
            ThinkLimits { nodes: Some(0), .. } => Some("nodes is 0; it takes at least 1"),
            _ => None,
        }
    }

    /// As limits of a search.
    pub fn limits<M>(&self) -> Limits<M> {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime_ms.map(Duration::from_millis),
            ..Limits::default()
        }
    }
}

/// The player of one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// A person.
    Human {
        /// The name given in a file or by a client.
        name: Option<String>,
    },
    /// An agent.
    Agent {
        /// Its complete spec.
        spec: String,
        limits: ThinkLimits,
    },
}

impl Player {
    /// An unnamed person.
    pub const HUMAN: Player = Player::Human { name: None };

    /// The name shown in lists and files.
    pub fn name(&self) -> &str {
        match self {
            Player::Human { name } => name.as_deref().unwrap_or("human"),
            Player::Agent { spec, .. } => spec,
        }
    }

    pub fn is_human(&self) -> bool {
        matches!(self, Player::Human { .. })
    }
}
