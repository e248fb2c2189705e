//! JSON documents of players, whose turn it is, and event kinds.

use serde::{Deserialize, Serialize};
use tabia_session::Awaits;
use utoipa::ToSchema;

use crate::sessions::journal::EventKind;
use crate::sessions::player::{Player, ThinkLimits};

/// Which player the game waits for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Awaits)]
pub enum AwaitsDocument {
    /// A person's move.
    Human,
    /// An agent's move: it is thinking, or about to.
    Agent,
    /// Nothing: the game is over.
    Nobody,
}

/// The player of a side.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayerDocument {
    /// Whether it is a person.
    pub human: bool,
    /// Name: a person's name or the agent's spec.
    #[schema(example = "axiomx(depth=2)")]
    pub name: String,
    /// The agent's spec, if it is one.
    pub agent: Option<String>,
    /// How long the agent thinks.
    pub limits: Option<ThinkLimits>,
}

impl From<&Player> for PlayerDocument {
    fn from(player: &Player) -> PlayerDocument {
        let (agent, limits) = match player {
            Player::Human { .. } => (None, None),
            Player::Agent { spec, limits } => (Some(spec.clone()), Some(*limits)),
        };
        PlayerDocument { human: player.is_human(), name: player.name().to_owned(), agent, limits }
    }
}

impl From<Awaits> for AwaitsDocument {
    fn from(awaits: Awaits) -> AwaitsDocument {
        match awaits {
            Awaits::Human => AwaitsDocument::Human,
            Awaits::Agent => AwaitsDocument::Agent,
            Awaits::Nobody => AwaitsDocument::Nobody,
        }
    }
}

impl From<AwaitsDocument> for Awaits {
    fn from(awaits: AwaitsDocument) -> Awaits {
        match awaits {
            AwaitsDocument::Human => Awaits::Human,
            AwaitsDocument::Agent => Awaits::Agent,
            AwaitsDocument::Nobody => Awaits::Nobody,
        }
    }
}

/// Kind of event.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = EventKind)]
pub enum EventKindDocument {
    /// The game was set up.
    Created,
    /// A move was played: `move` has it.
    Moved,
    /// Moves were taken back: `plies` says how many half-moves.
    Undone,
    /// A side offered a draw: `by` says which.
    DrawOffered,
    /// An offer was declined: `by` says by whom.
    DrawDeclined,
    /// The game is over: its outcome says how.
    Ended,
}

/// The event kinds, their JSON forms, and their names in event streams.
const KINDS: [(EventKind, EventKindDocument, &str); 6] = [
    (EventKind::Created, EventKindDocument::Created, "created"),
    (EventKind::Moved, EventKindDocument::Moved, "moved"),
    (EventKind::Undone, EventKindDocument::Undone, "undone"),
    (EventKind::DrawOffered, EventKindDocument::DrawOffered, "draw_offered"),
    (EventKind::DrawDeclined, EventKindDocument::DrawDeclined, "draw_declined"),
    (EventKind::Ended, EventKindDocument::Ended, "ended"),
];

impl EventKindDocument {
    /// Name in event streams.
    pub fn name(self) -> &'static str {
        KINDS[self as usize].2
    }
}

impl From<EventKind> for EventKindDocument {
    fn from(kind: EventKind) -> EventKindDocument {
        KINDS[kind as usize].1
    }
}

impl From<EventKindDocument> for EventKind {
    fn from(kind: EventKindDocument) -> EventKind {
        KINDS[kind as usize].0
    }
}
