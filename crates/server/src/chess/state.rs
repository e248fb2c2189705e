//! A game being played: the board, the players, the clock, and what happened so far.
//!
//! Everything here is plain data and rules. A change is made on a copy, kept on disk, and only then shown: whoever
//! was told of a move will find it there after a restart.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use shakmaty::{Color, Move, Position};
use tabia_book::names::{Names, OpeningName};
use tabia_core::{ChessGame, Game, Outcome, Reason};

use super::document::{Awaits, PlayedMove, PositionDocument};
use super::error::ChessError;
use super::event::{EventKind, GameEvent};
use super::setup::{Player, Setup};
use crate::id::Id;
use crate::line::{LineDocument, san_moves};
use crate::sessions::clock::GameClock;
use crate::timestamp::Timestamp;

/// Events kept for those who come back; whoever was away for longer gets the game as it is.
const EVENTS_KEPT: usize = 256;

/// A game being played.
#[derive(Clone, Debug)]
pub struct ChessGameState {
    /// Its name.
    pub id: Id,
    /// Whose list it is in.
    pub owner: Id,
    /// What it was set up with.
    pub setup: Setup,
    /// The board and its history.
    pub game: ChessGame,
    /// What was played.
    pub moves: Vec<PlayedMove>,
    /// Names of the positions that have one, by the half-moves after which they stood on the board.
    pub(super) openings: Vec<(usize, OpeningName)>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// The clock.
    pub clock: Option<GameClock>,
    /// Who offers a draw.
    pub draw_offer: Option<Color>,
    /// What the last agent to think made of it.
    pub evaluation: Option<LineDocument>,
    /// The number of the last event.
    pub version: u64,
    /// The number of the event that brought the position on the board.
    pub position_version: u64,
    /// The last events, oldest first.
    pub log: VecDeque<Arc<GameEvent>>,
    /// When it was set up.
    pub created: Timestamp,
    /// When something last happened.
    pub updated: Timestamp,
    /// When the side to move began to think.
    pub turn_began: Instant,
}

impl ChessGameState {
    /// A game as it is set up, with moves already played.
    pub fn new(
        owner: Id,
        setup: Setup,
        moves: &[String],
        longest: usize,
    ) -> Result<ChessGameState, ChessError> {
        ChessGameState::imported(owner, setup, moves, longest, |_| {})
    }

    /// The same, with what else is known of the moves put in by `know`.
    pub fn imported(
        owner: Id,
        setup: Setup,
        moves: &[String],
        longest: usize,
        know: impl FnOnce(&mut ChessGameState),
    ) -> Result<ChessGameState, ChessError> {
        let mut state = ChessGameState::empty(Id::random(), owner, setup, Timestamp::now())?;
        if moves.len() > longest {
            return Err(ChessError::TooLong(longest));
        }
        for (index, text) in moves.iter().enumerate() {
            if let Some(outcome) = state.game.outcome() {
                return Err(ChessError::MoveAfterEnd(index, outcome));
            }
            let number = index + 1;
            let m = state.game.read_move(text).map_err(|error| ChessError::MoveInList { number, error })?;
            state.record_move(m);
        }
        state.outcome = state.game.outcome();
        know(&mut state);
        state.push_event(EventKind::Created, |_| {});
        state.position_version = state.version;
        Ok(state)
    }

    /// A game before its first event; what was kept of it is put in by whoever loads it.
    pub fn empty(id: Id, owner: Id, setup: Setup, created: Timestamp) -> Result<ChessGameState, ChessError> {
        let game = ChessGame::from_fen_in_mode(&setup.start, setup.variant.into())?;
        Ok(ChessGameState {
            id,
            owner,
            clock: setup.clock.map(GameClock::new),
            setup,
            game,
            moves: Vec::new(),
            openings: Vec::new(),
            outcome: None,
            draw_offer: None,
            evaluation: None,
            version: 0,
            position_version: 0,
            log: VecDeque::new(),
            created,
            updated: created,
            turn_began: Instant::now(),
        })
    }

    /// Plays a move on the board and writes it down; no event, no clock.
    pub fn record_move(&mut self, m: Move) -> &mut PlayedMove {
        let side = self.game.side_to_move().into();
        let uci = self.game.write_move(m);
        let san = san_moves(self.game.position(), &[m]).concat();
        self.game.apply(m);
        if let Some(name) = Names::known().lookup(self.game.position()) {
            self.openings.push((self.moves.len() + 1, name));
        }
        self.moves.push(PlayedMove {
            ply: self.moves.len() + 1,
            side,
            uci,
            san,
            fen: self.game.fen(),
            score_cp: None,
            mate: None,
            depth: None,
            nodes: None,
            time_ms: None,
            clock_ms: None,
            comment: None,
        });
        self.moves.last_mut().expect("one was just pushed")
    }

    /// What the opening is called, as far as the game has come in it.
    pub fn opening(&self) -> Option<OpeningName> {
        self.openings.last().map(|(_, name)| *name)
    }

    /// Whom the game waits for.
    pub fn awaits(&self) -> Awaits {
        match self.setup.player(self.game.side_to_move()) {
            _ if self.outcome.is_some() => Awaits::Nobody,
            Player::Human { .. } => Awaits::Human,
            Player::Agent { .. } => Awaits::Agent,
        }
    }

    /// A person moves.
    pub fn play_human_move(
        &mut self,
        text: &str,
        expected: Option<usize>,
        longest: usize,
    ) -> Result<(), ChessError> {
        self.ensure_ongoing()?;
        if let Some(expected) = expected
            && expected != self.moves.len()
        {
            return Err(ChessError::PlyMismatch { expected, actual: self.moves.len() });
        }
        if self.awaits() == Awaits::Agent {
            return Err(ChessError::AgentsTurn(self.game.side_to_move().into()));
        }
        if self.moves.len() >= longest {
            return Err(ChessError::TooLong(longest));
        }
        let m = self.game.read_move(text)?;
        self.play_move(m, None);
        Ok(())
    }

    /// An agent moves, having thought.
    pub fn play_agent_move(&mut self, m: Move, thought: Option<LineDocument>, longest: usize) {
        self.evaluation.clone_from(&thought);
        self.play_move(m, thought);
        if self.outcome.is_none() && self.moves.len() >= longest {
            self.end(Outcome::draw(Reason::MoveLimit), None, None);
        }
    }

    /// A move: board, clock, event, and the end if it is one.
    fn play_move(&mut self, m: Move, thought: Option<LineDocument>) {
        let mover = self.game.side_to_move();
        let took = self.turn_began.elapsed();
        let clock_ms = self.press_clock(mover);
        let played = self.record_move(m);
        played.time_ms = Some(took.as_millis() as u64);
        played.clock_ms = clock_ms;
        if let Some(line) = thought {
            played.score_cp = line.score_cp;
            played.mate = line.mate;
            played.depth = Some(line.depth);
            played.nodes = Some(line.nodes);
        }
        let played = played.clone();
        // An offer is answered by moving on.
        if self.draw_offer != Some(mover) {
            self.draw_offer = None;
        }
        self.outcome = self.game.outcome();
        self.start_turn();
        self.push_event(EventKind::Moved, |event| event.played = Some(played));
        self.position_version = self.version;
        if self.outcome.is_some() {
            self.push_event(EventKind::Ended, |_| {});
        }
    }

    fn press_clock(&mut self, mover: Color) -> Option<u64> {
        let first = self.moves.is_empty();
        let clock = self.clock.as_mut()?;
        // The first move of a game is free.
        let left = if first { clock.left(mover) } else { clock.press(mover) };
        Some(left.as_millis() as u64)
    }

    /// The side to move begins to think; its clock runs unless nothing was played yet or all is over.
    pub fn start_turn(&mut self) {
        self.turn_began = Instant::now();
        let runs = self.outcome.is_none() && !self.moves.is_empty();
        let turn = self.game.side_to_move();
        if let Some(clock) = &mut self.clock {
            clock.halt();
            if runs {
                clock.start(turn);
            }
        }
    }

    /// Sets the clock to what the moves say of it.
    pub fn restore_clock(&mut self) {
        let Some(setting) = self.clock.as_ref().map(GameClock::setting) else { return };
        let mut clock = GameClock::new(setting);
        for played in &self.moves {
            if let Some(left) = played.clock_ms {
                clock.set(played.side.into(), Duration::from_millis(left));
            }
        }
        self.clock = Some(clock);
    }

    /// Ends the game.
    pub fn end(&mut self, outcome: Outcome, by: Option<Color>, detail: Option<String>) {
        self.outcome = Some(outcome);
        self.draw_offer = None;
        if let Some(clock) = &mut self.clock {
            clock.halt();
        }
        self.push_event(EventKind::Ended, |event| {
            event.by = by.map(Into::into);
            event.detail = detail;
        });
        self.position_version = self.version;
    }

    /// Ends the game if somebody's time has run out.
    pub fn flag(&mut self) -> bool {
        let Some(loser) = self.clock.as_ref().and_then(GameClock::fallen) else { return false };
        if self.outcome.is_some() {
            return false;
        }
        let winner = loser.other();
        let outcome = if self.game.position().has_insufficient_material(winner) {
            Outcome::draw(Reason::TimeForfeit)
        } else {
            Outcome::win(winner, Reason::TimeForfeit)
        };
        self.end(outcome, Some(loser), None);
        true
    }

    /// Events after a version, oldest first; none when they are no longer all there.
    pub fn events_since(&self, version: u64) -> Option<Vec<Arc<GameEvent>>> {
        let missing = self.version.checked_sub(version)? as usize;
        let skipped = self.log.len().checked_sub(missing)?;
        Some(self.log.iter().skip(skipped).cloned().collect())
    }

    pub(super) fn ensure_ongoing(&self) -> Result<(), ChessError> {
        self.outcome.map_or(Ok(()), |outcome| Err(ChessError::Over(outcome)))
    }

    pub(super) fn push_event(&mut self, kind: EventKind, tell: impl FnOnce(&mut GameEvent)) {
        self.version += 1;
        self.updated = Timestamp::now();
        let mut event = GameEvent {
            version: self.version,
            kind,
            at: self.updated,
            played: None,
            plies: None,
            by: None,
            detail: None,
            position: PositionDocument::new(self),
        };
        tell(&mut event);
        self.log.push_back(Arc::new(event));
        while self.log.len() > EVENTS_KEPT {
            self.log.pop_front();
        }
    }
}
