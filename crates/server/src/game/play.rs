//! A game being played: the board, the players, the clock, and what happened so far.
//!
//! Everything here is plain data and rules. A change is made on a copy, kept on disk, and only then shown: whoever
//! was told of a move will find it there after a restart.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use shakmaty::{Color, Move, Position};
use tabia_book::names::{Names, OpeningName};
use tabia_core::chess::MoveError;
use tabia_core::{ChessGame, FenError, Game, Outcome, Reason};

use super::clock::GameClock;
use super::document::{Awaits, PlayedMove, PositionDocument};
use super::event::{EventKind, GameEvent};
use super::setup::{Seat, Setup, Variant};
use super::side::Side;
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
    openings: Vec<(usize, OpeningName)>,
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

/// What cannot be done in a game.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The start is no position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The move cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A move of a list that cannot be played.
    #[error("move {number} of the list: {error}")]
    Listed {
        /// Which, from 1.
        number: usize,
        /// Why not.
        error: MoveError,
    },
    /// The list goes on after the end.
    #[error("the game is over after move {0} of the list: {1}")]
    ListedAfterEnd(usize, Outcome),
    /// Nothing more happens in a finished game.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// It is somebody else's turn.
    #[error("it is {}'s turn, and an agent plays that side; wait for its move", .0.name())]
    AgentsTurn(Side),
    /// The client had another position in mind.
    #[error("the game is at ply {actual}, not at {expected}: read its state again")]
    Elsewhere {
        /// What the client thought.
        expected: usize,
        /// What is.
        actual: usize,
    },
    /// There is nothing to take back.
    #[error("no move of yours can be taken back")]
    NothingToUndo,
    /// A decision that stands.
    #[error("the game ended by {0}: that is not taken back")]
    Final(Reason),
    /// An agent's side does not do this.
    #[error("{} is played by an agent: it decides for itself", .0.name())]
    NotYours(Side),
    /// Which side is meant?
    #[error("say for which side: people play both (\"side\": \"white\" or \"black\")")]
    WhichSide,
    /// Nobody is there to ask.
    #[error("two agents play: nobody is there who could do this")]
    NoHuman,
    /// No offer.
    #[error("there is no offer of a draw to answer")]
    NoOffer,
    /// The offer is there already.
    #[error("a draw is offered already")]
    OfferedAlready,
    /// Another game altogether.
    #[error("a game of quantum chess cannot be played here")]
    Quantum,
    /// Meanwhile the position has changed.
    #[error("the position has changed meanwhile")]
    Stale,
    /// Longer than a game may be.
    #[error("the game has {0} half-moves, which is as long as a game may be here")]
    TooLong(usize),
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
        let mode = match setup.variant {
            Variant::Chess => shakmaty::CastlingMode::Standard,
            Variant::Chess960 => shakmaty::CastlingMode::Chess960,
        };
        let game = ChessGame::from_fen_in_mode(&setup.start, mode)?;
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
        self.advance(m, Some(thought));
        if self.outcome.is_none() && self.moves.len() >= longest {
            self.end(Outcome::draw(Reason::MoveLimit), None, None);
        }
    }

    /// A move: board, clock, event, and the end if it is one. `thought` is there when an agent moved.
    fn advance(&mut self, m: Move, thought: Option<Option<LineDocument>>) {
        let mover = self.game.side_to_move();
        let took = self.turn_began.elapsed();
        let clock_ms = self.press_clock(mover);
        let played = self.note(m);
        played.time_ms = Some(took.as_millis() as u64);
        played.clock_ms = clock_ms;
        if let Some(Some(line)) = &thought {
            played.score_cp = line.score_cp;
            played.mate = line.mate;
            played.depth = Some(line.depth);
            played.nodes = Some(line.nodes);
        }
        let played = played.clone();
        if let Some(thought) = thought {
            self.evaluation = thought;
        }
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

    /// Takes back a person's last move, and the agent's reply to it if there was one.
    pub fn undo(&mut self) -> Result<usize, PlayError> {
        if let Some(outcome) = self.outcome
            && matches!(
                outcome.reason,
                Reason::Resignation | Reason::Agreement | Reason::TimeForfeit | Reason::Fault
            )
        {
            return Err(PlayError::Final(outcome.reason));
        }
        let last_human = self
            .moves
            .iter()
            .rposition(|played| self.setup.seat(played.side.into()).is_human())
            .ok_or(PlayError::NothingToUndo)?;
        let plies = self.moves.len() - last_human;
        self.moves.truncate(last_human);
        self.openings.retain(|(ply, _)| *ply <= last_human);
        for _ in 0..plies {
            self.game.undo();
        }
        self.outcome = None;
        self.draw_offer = None;
        self.evaluation = None;
        self.restore_clock();
        self.start_turn();
        self.happened(EventKind::Undone, |event| event.plies = Some(plies));
        self.position_version = self.version;
        Ok(plies)
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

    /// A person gives up.
    pub fn resign(&mut self, side: Option<Side>) -> Result<(), PlayError> {
        self.still_on()?;
        let loser = self.person(side)?;
        self.end(Outcome::win(loser.other(), Reason::Resignation), Some(loser), None);
        Ok(())
    }

    /// A person offers a draw. `agent_agrees` answers for an agent on the other side.
    pub fn offer_draw(
        &mut self,
        side: Option<Side>,
        agent_agrees: impl FnOnce(&Play, Color) -> bool,
    ) -> Result<(), PlayError> {
        self.still_on()?;
        let by = self.person(side)?;
        let other = by.other();
        if self.draw_offer == Some(other) {
            return self.answer_draw(Some(by.into()), true);
        }
        if self.draw_offer == Some(by) {
            return Err(PlayError::OfferedAlready);
        }
        self.draw_offer = Some(by);
        self.happened(EventKind::DrawOffered, |event| event.by = Some(by.into()));
        if !self.setup.seat(other).is_human() {
            let agreed = agent_agrees(self, other);
            self.settle_draw(other, agreed);
        }
        Ok(())
    }

    /// A person answers an offer.
    pub fn answer_draw(&mut self, side: Option<Side>, agreed: bool) -> Result<(), PlayError> {
        self.still_on()?;
        let offered_by = self.draw_offer.ok_or(PlayError::NoOffer)?;
        let by = offered_by.other();
        if side.is_some_and(|side| Color::from(side) != by) {
            return Err(PlayError::NoOffer);
        }
        self.settle_draw(by, agreed);
        Ok(())
    }

    fn settle_draw(&mut self, by: Color, agreed: bool) {
        self.draw_offer = None;
        if agreed {
            self.end(Outcome::draw(Reason::Agreement), Some(by), None);
        } else {
            self.happened(EventKind::DrawDeclined, |event| event.by = Some(by.into()));
        }
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

    fn still_on(&self) -> Result<(), PlayError> {
        self.outcome.map_or(Ok(()), |outcome| Err(PlayError::Over(outcome)))
    }

    /// Which person is meant.
    fn person(&self, side: Option<Side>) -> Result<Color, PlayError> {
        let human = |color: Color| self.setup.seat(color).is_human();
        match (side, human(Color::White), human(Color::Black)) {
            (Some(side), ..) if human(side.into()) => Ok(side.into()),
            (Some(side), ..) => Err(PlayError::NotYours(side)),
            (None, true, false) => Ok(Color::White),
            (None, false, true) => Ok(Color::Black),
            (None, true, true) => Err(PlayError::WhichSide),
            (None, false, false) => Err(PlayError::NoHuman),
        }
    }

    fn happened(&mut self, kind: EventKind, tell: impl FnOnce(&mut GameEvent)) {
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
