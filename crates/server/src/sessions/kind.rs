//! What a session requires of a game, and the decisions of players that all games share.

use std::time::{Duration, Instant};

use shakmaty::Color;
use tabia_core::{Agent, AgentError, Game, SearchInfo};
use tabia_session::{DrawAnswer, Refusal, Session, SessionGame};

use super::journal::{EventKind, GameEvent, Journal};
use super::player::Player;
use crate::id::Id;

/// A move of a kind of game.
pub type ActionOf<K> = <<K as GameKind>::Game as Game>::Action;

/// The state of a game in a session, implemented by chess and quantum chess. Decisions of players follow the rules of
/// [`tabia_session`] in both.
pub trait GameKind: Clone + Send + Sync + 'static {
    type Game: SessionGame<Action: Sync> + Sync + 'static;
    /// A ply as it is recorded.
    type Ply: Clone + Send + Sync + 'static;
    /// What an event keeps of the position after it.
    type Snapshot: Clone + Send + Sync + 'static;
    /// Why an update is refused.
    type Error: std::error::Error + From<Refusal> + Send + 'static;
    /// Its label in metrics.
    const GAME: &'static str;

    fn id(&self) -> Id;

    /// The client that set it up.
    fn owner(&self) -> Id;

    /// The same game under a watcher's id.
    #[must_use]
    fn renamed(&self, id: Id) -> Self;

    fn session(&self) -> &Session<Self::Game>;

    fn session_mut(&mut self) -> &mut Session<Self::Game>;

    fn journal(&self) -> &Journal<Self::Ply, Self::Snapshot>;

    fn journal_mut(&mut self) -> &mut Journal<Self::Ply, Self::Snapshot>;

    fn player(&self, color: Color) -> &Player;

    fn snapshot(&self) -> Self::Snapshot;

    fn is_legal(&self, action: ActionOf<Self>) -> bool;

    /// Plays the legal move of an agent, with its search information. A game may have at most `longest` plies.
    fn play_agent_move(
        &mut self,
        action: ActionOf<Self>,
        search_info: Option<&SearchInfo<ActionOf<Self>>>,
        longest: usize,
    ) -> Result<(), Self::Error>;

    /// Takes back a person's last move, and the agent's reply to it if there was one. Returns the number of plies.
    fn undo(&mut self) -> Result<usize, Self::Error>;

    /// Seeds a new agent.
    fn reseed(&self, _agent: &mut dyn Agent<Self::Game>, _color: Color) {}

    fn is_over(&self) -> bool {
        self.session().outcome().is_some()
    }

    /// The version of the current position.
    fn position_version(&self) -> u64 {
        self.journal().position_version
    }

    fn push_event(&mut self, kind: EventKind, tell: impl FnOnce(&mut GameEvent<Self::Ply, Self::Snapshot>)) {
        let snapshot = self.snapshot();
        self.journal_mut().push(kind, snapshot, tell);
    }

    /// Marks the last event as the one that led to the current position.
    fn mark_position(&mut self) {
        let journal = self.journal_mut();
        journal.position_version = journal.version;
    }

    /// Records an end of the game other than by a move.
    fn push_end(&mut self, by: Option<Color>, detail: Option<String>) {
        self.push_event(EventKind::Ended, |event| (event.by, event.detail) = (by, detail));
        self.mark_position();
    }

    /// Ends the game if a clock has run out. Returns whether it did.
    fn flag(&mut self) -> bool {
        let loser = self.session_mut().flag(Instant::now());
        if loser.is_some() {
            self.push_end(loser, None);
        }
        loser.is_some()
    }

    /// A person resigns.
    fn resign(&mut self, side: Option<Color>) -> Result<(), Self::Error> {
        let loser = self.session_mut().resign(side, Instant::now())?;
        self.push_end(Some(loser), None);
        Ok(())
    }

    /// Time left to the side whose clock is running.
    fn time_left(&self) -> Option<Duration> {
        let clock = self.session().clock()?;
        Some(clock.left(clock.running()?, Instant::now()))
    }

    /// A person offers a draw; an agent answers at once.
    fn offer_draw(&mut self, side: Option<Color>) -> Result<(), Self::Error> {
        let now = Instant::now();
        let (by, answer) = self.session_mut().offer_draw(side, now)?;
        if let Some(answer) = answer {
            self.push_draw_answer(by, answer);
            return Ok(());
        }
        self.push_event(EventKind::DrawOffered, |event| event.by = Some(by));
        if let Some(answer) = self.session_mut().agent_answer(now) {
            self.push_draw_answer(by.other(), answer);
        }
        Ok(())
    }

    /// A person answers a draw offer.
    fn answer_draw(&mut self, side: Option<Color>, accepted: bool) -> Result<(), Self::Error> {
        let (by, answer) = self.session_mut().answer_draw(side, accepted, Instant::now())?;
        self.push_draw_answer(by, answer);
        Ok(())
    }

    fn push_draw_answer(&mut self, by: Color, answer: DrawAnswer) {
        match answer {
            DrawAnswer::Accepted => self.push_end(Some(by), None),
            DrawAnswer::Declined => {
                self.push_event(EventKind::DrawDeclined, |event| event.by = Some(by));
            }
        }
    }

    /// The agent to move resigned or failed.
    fn agent_failed(&mut self, error: &AgentError) {
        let loser = self.session_mut().lose_by(error, Instant::now());
        match error {
            AgentError::Resigned => self.push_end(Some(loser), None),
            fault => self.push_end(None, Some(fault.to_string())),
        }
    }
}
