//! A game in progress: the session, the recorded moves and the events.
//!
//! Everything here is plain data and rules. A change is made on a copy, saved to the database, and only then
//! published, so that a move that a client has seen survives a restart.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color, Move, Position};
use tabia_book::names::{Names, OpeningName};
use tabia_core::{ChessGame, Outcome, Reason, Score, SearchInfo};
use tabia_session::Session;
use utoipa::ToSchema;

use super::error::ChessError;
use super::setup::Setup;
use super::snapshot::{ClockReading, Snapshot, captures};
use crate::id::Id;
use crate::line::{EngineLine, san_moves};
use crate::sessions::journal::{EventKind, GameEvent, Journal};
use crate::sessions::kind::GameKind;
use crate::sessions::player::Player;
use crate::sessions::side::Side;
use crate::timestamp::Timestamp;

/// An event of a chess game.
pub type ChessEvent = GameEvent<PlayedMove, Snapshot>;

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayedMove {
    /// Its number, from 1.
    pub ply: usize,
    /// Who played it.
    pub side: Side,
    /// As UCI writes it.
    #[schema(example = "g1f3")]
    pub uci: String,
    /// In standard notation.
    #[schema(example = "Nf3")]
    pub san: String,
    /// The position after it.
    pub fen: String,
    /// What the agent that played it thought of it, in White's view; absent when it is a mate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_cp: Option<i32>,
    /// Full moves to mate, as the agent saw it; positive when White gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// How deep the agent looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions the agent visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds the move took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// What was left on the player's clock after it, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// Anything said of it in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct ChessGameState {
    pub id: Id,
    /// The client whose list it is in.
    pub owner: Id,
    pub setup: Setup,
    session: Session<ChessGame>,
    pub moves: Vec<PlayedMove>,
    /// Opening names, by the number of half-moves after which the position was reached.
    openings: Vec<(usize, OpeningName)>,
    /// Search information of the last agent that moved.
    pub evaluation: Option<EngineLine>,
    pub journal: Journal<PlayedMove, Snapshot>,
}

impl ChessGameState {
    /// A new game, with moves already played.
    pub fn new(
        owner: Id,
        setup: Setup,
        moves: &[String],
        longest: usize,
    ) -> Result<ChessGameState, ChessError> {
        ChessGameState::imported(owner, setup, moves, longest, |_| {})
    }

    /// The same; `know` completes each move with what else is known of it.
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
            if let Some(outcome) = state.outcome() {
                return Err(ChessError::MoveAfterEnd(index, outcome));
            }
            let number = index + 1;
            let m = state.game().read_move(text).map_err(|error| ChessError::MoveInList { number, error })?;
            state.record_move(m, |session| session.repeat(&[m], None));
        }
        know(&mut state);
        state.push_event(EventKind::Created, |_| {});
        state.mark_position();
        Ok(state)
    }

    /// A game before its first event. The database adds what was saved.
    pub fn empty(id: Id, owner: Id, setup: Setup, created: Timestamp) -> Result<ChessGameState, ChessError> {
        let game = ChessGame::from_fen_in_mode(&setup.start, setup.variant.into())?;
        let humans = ByColor { white: setup.white.is_human(), black: setup.black.is_human() };
        let session = Session::new(game, humans, Instant::now()).with_clock(setup.clock.map(Into::into));
        Ok(ChessGameState {
            id,
            owner,
            setup,
            session,
            moves: Vec::new(),
            openings: Vec::new(),
            evaluation: None,
            journal: Journal::new(created),
        })
    }

    /// Replays a saved move.
    pub fn restore_move(&mut self, kept: PlayedMove) -> Result<(), ChessError> {
        let m = self.game().read_move(&kept.uci)?;
        let clock = kept.clock_ms.map(Duration::from_millis);
        *self.record_move(m, |session| session.repeat(&[m], clock)) = kept;
        Ok(())
    }

    /// Resumes the game after its moves were replayed.
    pub fn restore(
        &mut self,
        outcome: Option<Outcome>,
        draw_offer: Option<Color>,
        evaluation: Option<EngineLine>,
    ) {
        let score = |color| evaluation.as_ref().map(|line| Score::from_raw(line.centipawns_for(color)));
        let scores = ByColor { white: score(Color::White), black: score(Color::Black) };
        self.session.resume(outcome, draw_offer, scores, Instant::now());
        self.evaluation = evaluation;
    }

    /// The board and its history.
    pub fn game(&self) -> &ChessGame {
        self.session.game()
    }

    /// How the game ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.session.outcome()
    }

    /// The most specific opening name that the game has reached.
    pub fn opening(&self) -> Option<OpeningName> {
        self.openings.last().map(|(_, name)| *name)
    }

    /// Plays a move with `play`, and records it.
    fn record_move(&mut self, m: Move, play: impl FnOnce(&mut Session<ChessGame>)) -> &mut PlayedMove {
        let game = self.game();
        let (side, uci) = (game.side_to_move().into(), game.write_move(m));
        let san = san_moves(game.position(), &[m]).concat();
        play(&mut self.session);
        let ply = self.session.ply();
        if let Some(name) = Names::known().lookup(self.game().position()) {
            self.openings.push((ply, name));
        }
        self.moves.push(PlayedMove {
            ply,
            side,
            uci,
            san,
            fen: self.game().fen(),
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

    /// Plays a person's move.
    pub fn play_human_move(
        &mut self,
        text: &str,
        expected: Option<usize>,
        longest: usize,
    ) -> Result<(), ChessError> {
        self.session.check_human_turn(expected)?;
        if self.moves.len() >= longest {
            return Err(ChessError::TooLong(longest));
        }
        let m = self.game().read_move(text)?;
        self.play_move(m, None);
        Ok(())
    }

    /// Plays a move: updates board and clock, records the event, and ends the game if the move does.
    fn play_move(&mut self, m: Move, info: Option<&SearchInfo<Move>>) {
        let line = info.map(|info| EngineLine::new(self.game(), info));
        let mut times = None;
        let played = self.record_move(m, |session| {
            times = Some(session.play(&[m], info.map(|info| info.score), Instant::now()));
        });
        if let Some(times) = times {
            played.time_ms = Some(times.took.as_millis() as u64);
            played.clock_ms = times.clock.map(|left| left.as_millis() as u64);
        }
        if let Some(line) = &line {
            (played.score_cp, played.mate) = (line.score_cp, line.mate);
            (played.depth, played.nodes) = (Some(line.depth), Some(line.nodes));
        }
        let played = played.clone();
        self.push_event(EventKind::Moved, |event| event.played = Some(played));
        self.mark_position();
        if self.is_over() {
            self.push_event(EventKind::Ended, |_| {});
        }
    }
}

impl GameKind for ChessGameState {
    type Game = ChessGame;
    type Ply = PlayedMove;
    type Snapshot = Snapshot;
    type Error = ChessError;
    const GAME: &'static str = "chess";

    fn id(&self) -> Id {
        self.id
    }

    fn owner(&self) -> Id {
        self.owner
    }

    fn renamed(&self, id: Id) -> Self {
        Self { id, ..self.clone() }
    }

    fn session(&self) -> &Session<ChessGame> {
        &self.session
    }

    fn session_mut(&mut self) -> &mut Session<ChessGame> {
        &mut self.session
    }

    fn journal(&self) -> &Journal<PlayedMove, Snapshot> {
        &self.journal
    }

    fn journal_mut(&mut self) -> &mut Journal<PlayedMove, Snapshot> {
        &mut self.journal
    }

    fn player(&self, color: Color) -> &Player {
        self.setup.player(color)
    }

    fn snapshot(&self) -> Snapshot {
        let game = self.game();
        Snapshot {
            board: ChessGame::from_position(game.position().clone(), game.mode()),
            ply: self.moves.len(),
            last_move: self.moves.last().map(|played| played.uci.clone()),
            awaits: self.session.awaits(),
            outcome: self.outcome(),
            draw_offer: self.session.draw_offer(),
            clock: self.session.clock().map(ClockReading::now),
            captured: captures(game),
        }
    }

    fn is_legal(&self, m: Move) -> bool {
        self.game().position().is_legal(m)
    }

    fn play_agent_move(
        &mut self,
        m: Move,
        info: Option<&SearchInfo<Move>>,
        longest: usize,
    ) -> Result<(), ChessError> {
        self.evaluation = info.map(|info| EngineLine::new(self.game(), info));
        self.play_move(m, info);
        if !self.is_over() && self.moves.len() >= longest {
            self.session.end(Outcome::draw(Reason::MoveLimit), Instant::now());
            self.push_end(None, None);
        }
        Ok(())
    }

    fn undo(&mut self) -> Result<usize, ChessError> {
        let plies = self.session.take_back(Instant::now())?;
        let left = self.session.ply();
        self.moves.truncate(left);
        self.openings.retain(|(ply, _)| *ply <= left);
        self.evaluation = None;
        self.push_event(EventKind::Undone, |event| event.plies = Some(plies));
        self.mark_position();
        Ok(plies)
    }
}
