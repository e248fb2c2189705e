//! Who plays a side, and how long an agent may think.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tabia_core::Limits;
use utoipa::ToSchema;

/// How long an agent thinks about a move; the first bound reached ends it. Without any, its own options decide, or
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
    /// What is wrong with them, if anything.
    pub fn fault(&self) -> Option<&'static str> {
        match self {
            ThinkLimits { movetime_ms: Some(0), .. } => Some("movetime_ms is 0; it takes at least 1"),
            ThinkLimits { depth: Some(0), .. } => Some("depth is 0; it takes at least 1"),
            ThinkLimits { depth: Some(121..), .. } => Some("depth is beyond 120"),
            ThinkLimits { nodes: Some(0), .. } => Some("nodes is 0; it takes at least 1"),
            _ => None,
        }
    }

    /// For a search.
    pub fn limits<M>(&self) -> Limits<M> {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime_ms.map(Duration::from_millis),
            ..Limits::default()
        }
    }
}

/// Who sits on one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// A person.
    Human {
        /// As a file or a client called them.
        name: Option<String>,
    },
    /// An agent.
    Agent {
        /// Its spec, complete.
        spec: String,
        /// How long it thinks.
        limits: ThinkLimits,
    },
}

impl Player {
    /// A person of whom nothing is known.
    pub const HUMAN: Player = Player::Human { name: None };

    /// The name in a list or a file.
    pub fn name(&self) -> &str {
        match self {
            Player::Human { name } => name.as_deref().unwrap_or("human"),
            Player::Agent { spec, .. } => spec,
        }
    }

    /// Whether a person sits there.
    pub fn is_human(&self) -> bool {
        matches!(self, Player::Human { .. })
    }
}
