//! What happened in a game, numbered: the versions of a game are the numbers of its events.

use std::collections::VecDeque;
use std::sync::Arc;

use shakmaty::Color;

use crate::timestamp::Timestamp;

/// Events kept for clients that come back; whoever was away for longer gets the game as it is.
const EVENTS_KEPT: usize = 256;

/// What kind of thing happened.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    Created,
    Moved,
    Undone,
    DrawOffered,
    DrawDeclined,
    Ended,
}

/// One thing that happened. `P` is a ply of the game, `S` what is kept of the position after the event.
#[derive(Clone, Debug)]
pub struct GameEvent<P, S> {
    /// Its number, and the version of the game after it.
    pub version: u64,
    pub kind: EventKind,
    pub at: Timestamp,
    /// The ply that was played.
    pub played: Option<P>,
    /// Plies taken back.
    pub plies: Option<usize>,
    /// Who did it.
    pub by: Option<Color>,
    /// What else there is to say: the last words of an engine that failed.
    pub detail: Option<String>,
    pub snapshot: S,
}

/// The last events of a game, and when it began and changed.
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
    /// Of a game before its first event.
    pub fn new(created: Timestamp) -> Journal<P, S> {
        Journal { version: 0, position_version: 0, log: VecDeque::new(), created, updated: created }
    }

    /// Adds an event, completed by `tell`.
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

    /// Events after a version, oldest first; none when they are no longer all there.
    pub fn since(&self, version: u64) -> Option<impl Iterator<Item = &Arc<GameEvent<P, S>>>> {
        let missing = self.version.checked_sub(version)? as usize;
        let skipped = self.log.len().checked_sub(missing)?;
        Some(self.log.iter().skip(skipped))
    }
}
