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

use super::clock::GameClock;
use super::document::{Awaits, PlayedMove, PositionDocument};
use super::error::PlayError;
use super::event::{EventKind, GameEvent};
use super::setup::{Seat, Setup};
use crate::id::Id;
use crate::line::{LineDocument, san_moves};
use crate::moment::Moment;

/// Events kept for those who come back; whoever was away for longer gets the game as it is.
const EVENTS_KEPT: usize = 256;

/// A game being played.
#[derive(Clone, Debug)]
pub struct Play {
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
    pub created: Moment,
    /// When something last happened.
    pub updated: Moment,
    /// When the side to move began to think.
    pub turn_began: Instant,
}

impl Play {
    /// A game as it is set up, with moves already played.
    pub fn new(owner: Id, setup: Setup, moves: &[String], longest: usize) -> Result<Play, PlayError> {
        Play::imported(owner, setup, moves, longest, |_| {})
    }

    /// The same, with what else is known of the moves put in by `know`.
    pub fn imported(
        owner: Id,
        setup: Setup,
        moves: &[String],
        longest: usize,
        know: impl FnOnce(&mut Play),
    ) -> Result<Play, PlayError> {
        let mut play = Play::bare(Id::random(), owner, setup, Moment::now())?;
        if moves.len() > longest {
            return Err(PlayError::TooLong(longest));
        }
        for (index, text) in moves.iter().enumerate() {
            if let Some(outcome) = play.game.outcome() {
                return Err(PlayError::ListedAfterEnd(index, outcome));
            }
            let number = index + 1;
            let m = play.game.read_move(text).map_err(|error| PlayError::Listed { number, error })?;
            play.note(m);
        }
        play.outcome = play.game.outcome();
        know(&mut play);
        play.happened(EventKind::Created, |_| {});
        play.position_version = play.version;
        Ok(play)
    }

    /// A game before its first event; what was kept of it is put in by whoever loads it.
    pub fn bare(id: Id, owner: Id, setup: Setup, created: Moment) -> Result<Play, PlayError> {
        let game = ChessGame::from_fen_in_mode(&setup.start, setup.variant.into())?;
        Ok(Play {
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
    pub fn note(&mut self, m: Move) -> &mut PlayedMove {
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
        match self.setup.seat(self.game.side_to_move()) {
            _ if self.outcome.is_some() => Awaits::Nobody,
            Seat::Human { .. } => Awaits::Human,
            Seat::Agent { .. } => Awaits::Agent,
        }
    }

    /// A person moves.
    pub fn human_moves(
        &mut self,
        text: &str,
        expected: Option<usize>,
        longest: usize,
    ) -> Result<(), PlayError> {
        self.still_on()?;
        if let Some(expected) = expected
            && expected != self.moves.len()
        {
            return Err(PlayError::Elsewhere { expected, actual: self.moves.len() });
        }
        if self.awaits() == Awaits::Agent {
            return Err(PlayError::AgentsTurn(self.game.side_to_move().into()));
        }
        if self.moves.len() >= longest {
            return Err(PlayError::TooLong(longest));
        }
        let m = self.game.read_move(text)?;
        self.advance(m, None);
        Ok(())
    }

    /// An agent moves, having thought.
    pub fn agent_moves(&mut self, m: Move, thought: Option<LineDocument>, longest: usize) {
        self.evaluation.clone_from(&thought);
        self.advance(m, thought);
        if self.outcome.is_none() && self.moves.len() >= longest {
            self.end(Outcome::draw(Reason::MoveLimit), None, None);
        }
    }

    /// A move: board, clock, event, and the end if it is one.
    fn advance(&mut self, m: Move, thought: Option<LineDocument>) {
        let mover = self.game.side_to_move();
        let took = self.turn_began.elapsed();
        let clock_ms = self.press_clock(mover);
        let played = self.note(m);
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
        self.happened(EventKind::Moved, |event| event.played = Some(played));
        self.position_version = self.version;
        if self.outcome.is_some() {
            self.happened(EventKind::Ended, |_| {});
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
        self.happened(EventKind::Ended, |event| {
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

    pub(super) fn still_on(&self) -> Result<(), PlayError> {
        self.outcome.map_or(Ok(()), |outcome| Err(PlayError::Over(outcome)))
    }

    pub(super) fn happened(&mut self, kind: EventKind, tell: impl FnOnce(&mut GameEvent)) {
        self.version += 1;
        self.updated = Moment::now();
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
