//! The numbered events of a game. The version of a game is the number of its last event.

use std::collections::VecDeque;
use std::sync::Arc;

use shakmaty::Color;

use crate::timestamp::Timestamp;

/// Events kept for reconnecting clients. A client that missed more gets the whole game.
const EVENTS_KEPT: usize = 256;

/// Kind of event.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    Created,
    Moved,
    Undone,
    DrawOffered,
    DrawDeclined,
    Ended,
}

/// An event. `P` is a ply of the game, `S` a snapshot of the position after the event.
#[derive(Clone, Debug)]
pub struct GameEvent<P, S> {
    /// Its number, which is the version of the game after it.
    pub version: u64,
    pub kind: EventKind,
    pub at: Timestamp,
    /// The ply that was played.
    pub played: Option<P>,
    /// Plies taken back.
    pub plies: Option<usize>,
    /// The side that caused it.
    pub by: Option<Color>,
    /// More about it, such as the last output of an engine that failed.
    pub detail: Option<String>,
    pub snapshot: S,
}

/// The last events of a game, and its dates.
#[derive(Clone, Debug)]
pub struct Journal<P, S> {
    /// The number of the last event.
    pub version: u64,
    /// The number of the event that led to the current position.
    pub position_version: u64,
    /// The last events, oldest first.
    pub log: VecDeque<Arc<GameEvent<P, S>>>,
    pub created: Timestamp,
    pub updated: Timestamp,
}

impl<P, S> Journal<P, S> {
    /// An empty journal.
    pub fn new(created: Timestamp) -> Journal<P, S> {
        Journal { version: 0, position_version: 0, log: VecDeque::new(), created, updated: created }
    }

    /// Appends an event, completed by `tell`.
    pub fn push(&mut self, kind: EventKind, snapshot: S, tell: impl FnOnce(&mut GameEvent<P, S>)) {
        self.version += 1;
        self.updated = Timestamp::now();
        let (version, at) = (self.version, self.updated);
        let mut event =
            GameEvent { version, kind, at, played: None, plies: None, by: None, detail: None, snapshot };
        tell(&mut event);
        self.log.push_back(Arc::new(event));
        while self.log.len() > EVENTS_KEPT {
            self.log.pop_front();
        }
    }

    /// Events after a version, oldest first; `None` when some of them are no longer kept.
    pub fn since(&self, version: u64) -> Option<impl Iterator<Item = &Arc<GameEvent<P, S>>>> {
        let missing = self.version.checked_sub(version)? as usize;
        let skipped = self.log.len().checked_sub(missing)?;
        Some(self.log.iter().skip(skipped))
    }
}
