//! The game on the screen and everything shown with it. It is changed by keys and agent reports, and knows neither
//! the terminal nor threads.

use std::time::{Duration, Instant};

use anyhow::Context;
use shakmaty::{ByColor, Chess, Color, Move, Position};
use tabia_book::Names;
use tabia_core::{ChessGame, Outcome, Score, SearchInfo, Stop};
use tabia_session::{Refusal, Session};

use super::super::hint::{self, MOVES_SHOWN};
use super::super::{decisions, player};
use super::agent_thread::{AgentReport, Request};
use super::overlay::Overlay;
use super::prompt::{KeyAction, Prompt};
use crate::text::{self, WhiteScore};
use crate::tui::board::Selection;
use crate::tui::colors::Colors;
use crate::tui::speed::Speed;

/// Refresh interval while an agent is thinking.
const TICK: Duration = Duration::from_millis(100);

/// Purpose of a request.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A move for a side.
    Move(Color),
    /// A hint.
    Hint,
}

/// A pending request.
pub struct Thinking {
    number: u64,
    stop: Stop,
    /// Start time.
    pub started: Instant,
    pub purpose: Purpose,
    /// Latest search information.
    pub info: Option<SearchInfo<Move>>,
}

/// An assessment of a position of the game.
pub struct Assessment {
    /// The score in White's view.
    pub score: WhiteScore,
    /// Its source: agent, depth and time.
    pub how: String,
    /// The principal variation.
    pub line: String,
}

/// A message to the person.
pub struct StatusMessage {
    pub text: String,
    /// Whether it is an error.
    pub refused: bool,
}

/// The state of the screen.
pub struct Screen {
    pub(super) session: Session<ChessGame>,
    /// Names of the agents; `None` for a person.
    pub(super) names: ByColor<Option<String>>,
    pub(super) colors: Colors,
    pub(super) bottom: Color,
    /// The input line.
    pub(super) line: String,
    pub(super) status: Option<StatusMessage>,
    pub(super) prompt: Option<Prompt>,
    pub(super) selection: Selection,
    pub(super) overlay: Overlay,
    pub(super) thinking: Option<Thinking>,
    pub(super) assessment: Option<Assessment>,
    pub(super) hint_wanted: bool,
    pub(super) paused: bool,
    pub(super) speed: Speed,
    /// Rows by which the move list is scrolled back.
    pub(super) scrolled: usize,
    pub(super) help: bool,
    pub(super) opening: Option<String>,
    /// The moves in standard notation.
    pub(super) sans: Vec<String>,
    requested: u64,
    /// Agents that have not been told of a new game.
    forget: ByColor<bool>,
    /// Time of the last move, in a game between agents.
    moved: Option<Instant>,
}

impl Screen {
    /// A new game. A side without a name is a person.
    pub fn new(game: ChessGame, names: ByColor<Option<String>>, colors: Colors) -> Screen {
        let humans = names.as_ref().map(Option::is_none);
        let mut screen = Screen {
            session: Session::new(game, humans, Instant::now()),
            names,
            colors,
            bottom: player::bottom(humans),
            line: String::new(),
            status: None,
            prompt: None,
            selection: Selection::default(),
            overlay: Overlay::new(),
            thinking: None,
            assessment: None,
            hint_wanted: false,
            paused: false,
            speed: Speed::new(),
            scrolled: 0,
            help: false,
            opening: None,
            sans: Vec::new(),
            requested: 0,
            forget: ByColor { white: false, black: false },
            moved: None,
        };
        screen.changed();
        screen
    }

    /// The session.
    pub fn game(&self) -> &ChessGame {
        self.session.game()
    }

    /// The current position and its history.
    pub fn into_session(self) -> Session<ChessGame> {
        self.session
    }

    /// The result, if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.session.outcome()
    }

    /// Which sides are people.
    pub fn human(&self) -> ByColor<bool> {
        self.session.humans()
    }

    /// Whether both sides are agents.
    pub fn watching(&self) -> bool {
        !self.human().white && !self.human().black
    }

    /// The next request: whose agent, and what.
    pub fn next_request(&mut self, now: Instant) -> Option<(Purpose, Request)> {
        if self.thinking.is_some() || self.outcome().is_some() {
            return None;
        }
        let turn = self.game().side_to_move();
        let purpose = match &self.names[turn] {
            None if self.hint_wanted => Purpose::Hint,
            Some(_) if !self.paused && self.rest(now).is_zero() => Purpose::Move(turn),
            _ => return None,
        };
        self.hint_wanted = false;
        self.requested += 1;
        let forget = match purpose {
            Purpose::Move(color) => std::mem::take(&mut self.forget[color]),
            Purpose::Hint => false,
        };
        let stop = Stop::new();
        let request =
            Request { number: self.requested, game: self.game().clone(), stop: stop.clone(), forget };
        self.thinking = Some(Thinking { number: self.requested, stop, started: now, purpose, info: None });
        Some((purpose, request))
    }

    /// How long until the screen must be redrawn; `None` if nothing changes by itself.
    pub fn wait(&self, now: Instant) -> Option<Duration> {
        if self.thinking.is_some() {
            return Some(TICK);
        }
        let goes_on = self.watching() && !self.paused && self.outcome().is_none();
        goes_on.then(|| self.rest(now))
    }

    /// Delay between the moves of two agents.
    fn rest(&self, now: Instant) -> Duration {
        match self.moved {
            Some(moved) if self.watching() => self.speed.interval().saturating_sub(now.duration_since(moved)),
            _ => Duration::ZERO,
        }
    }

    /// Handles an agent's report. Reports of cancelled requests are ignored.
    pub fn agent_reported(&mut self, number: u64, told: AgentReport) -> anyhow::Result<()> {
        let Some(thinking) = self.thinking.as_mut().filter(|thinking| thinking.number == number) else {
            return Ok(());
        };
        let chosen = match told {
            AgentReport::SearchInfo(info) => {
                thinking.info = Some(info);
                self.assess();
                return Ok(());
            }
            AgentReport::Chosen(chosen) => chosen,
        };
        let Some(Thinking { purpose, info, .. }) = self.thinking.take() else { return Ok(()) };
        match purpose {
            Purpose::Move(turn) => match chosen {
                Ok(m) => self.make(m, info.map(|info| info.score)),
                Err(error) => {
                    let name = self.names[turn].clone().unwrap_or_default();
                    decisions::agent_failed(&mut self.session, &name, error)?;
                    self.decided();
                }
            },
            Purpose::Hint => {
                let best = chosen.context("there is no hint")?;
                let line = info.map(|info| info.line).unwrap_or_default();
                self.say(format!("The engine would play {}", hint::hint(self.game(), best, line)));
            }
        }
        Ok(())
    }

    /// Shows search information.
    fn assess(&mut self) {
        let Some(Thinking { purpose, info: Some(info), .. }) = &self.thinking else { return };
        let who = match purpose {
            Purpose::Move(turn) => self.names[*turn].as_deref().unwrap_or_default(),
            Purpose::Hint => "engine",
        };
        let name = who.split('(').next().unwrap_or_default();
        let shown = &info.line[..info.line.len().min(MOVES_SHOWN)];
        self.assessment = Some(Assessment {
            score: WhiteScore::new(info.score, info.bound, self.game().side_to_move()),
            how: format!("{name}, depth {}, {} nodes", info.depth, text::short_count(info.nodes)),
            line: text::numbered(self.game().position(), shown),
        });
    }

    /// Plays a legal move.
    pub(super) fn make(&mut self, m: Move, score: Option<Score>) {
        self.drop_search_info();
        self.session.play(&[m], score, Instant::now());
        self.status = None;
        // Between agents moves come all the time: a person could not answer before the next.
        if !matches!(self.prompt, Some(Prompt::Confirm(KeyAction::Quit | KeyAction::New))) {
            self.prompt = None;
        }
        self.moved = Some(Instant::now());
        self.changed();
    }

    /// Takes back to the person's last move.
    pub(super) fn take_back(&mut self) {
        self.drop_search_info();
        let now = Instant::now();
        let taken_back = if self.watching() {
            // Not between agents: they would only repeat the move.
            self.paused = true;
            self.session.step_back(1, now).then_some(1).ok_or(Refusal::NothingToTakeBack)
        } else {
            self.session.take_back(now)
        };
        if let Err(refusal) = taken_back {
            return self.refuse(refusal.to_string());
        }
        self.assessment = None;
        self.say("Taken back.");
        self.changed();
    }

    /// Starts a new game from the same position; agents are reset.
    pub fn begin_again(&mut self) {
        self.drop_search_info();
        let game = ChessGame::from_position(self.game().start().clone(), self.game().mode());
        self.session = Session::new(game, self.human(), Instant::now());
        self.forget = ByColor { white: true, black: true };
        (self.assessment, self.paused, self.moved) = (None, false, None);
        self.changed();
    }

    /// Ends the game otherwise than by a move.
    pub(super) fn decided(&mut self) {
        self.drop_search_info();
        self.status = None;
    }

    /// Makes the thinking agent move now.
    pub fn interrupt(&mut self) {
        if let Some(thinking) = &self.thinking {
            thinking.stop.stop();
        }
    }

    /// Cancels the current request.
    fn drop_search_info(&mut self) {
        self.interrupt();
        self.thinking = None;
        self.hint_wanted = false;
    }

    /// Why the person cannot move now, if so.
    pub(super) fn reason_not_to_move(&self) -> Option<String> {
        if self.outcome().is_some() {
            return Some("the game is over: n begins another, u takes the last move back".to_owned());
        }
        self.names[self.game().side_to_move()]
            .as_ref()
            .map(|name| format!("it is {name}'s move; m or Esc makes it move now"))
    }

    /// Shows a message.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.status = Some(StatusMessage { text: text.into(), refused: false });
    }

    /// Shows an error.
    pub(super) fn refuse(&mut self, text: impl Into<String>) {
        self.status = Some(StatusMessage { text: text.into(), refused: true });
    }

    /// Shows the result of an effect.
    pub fn answer(&mut self, answer: anyhow::Result<String>) {
        match answer {
            Ok(text) => self.say(text),
            Err(fault) => self.refuse(format!("{fault:#}")),
        }
    }

    /// Updates everything that depends on the position.
    fn changed(&mut self) {
        let game = self.session.game();
        let moves = game.moves();
        self.sans = text::san_moves(game.start(), moves);
        let mut position = game.start().clone();
        let mut positions: Vec<Chess> = vec![position.clone()];
        for m in moves {
            position.play_unchecked(*m);
            positions.push(position.clone());
        }
        self.opening =
            Names::known().last(&positions).map(|(_, opening)| format!("{} {}", opening.eco, opening.name));
        self.deselect();
        self.scrolled = 0;
    }
}
