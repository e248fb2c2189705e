//! The line-based interface: turns of both players until the end of the game.

use std::io::{self, Write};
use std::time::Instant;

use shakmaty::{ByColor, Color, Move, Position};
use tabia_core::{ChessGame, SearchInfo};
use tabia_session::Session;

use super::board::{self, Style};
use super::decisions;
use super::hint::MOVES_SHOWN;
use super::input::Input;
use super::player::{self, Ending, Player};
use crate::evaluations;
use crate::live;
use crate::text::{self, WhiteScore};

/// A game in progress.
pub struct PlainGame {
    pub(super) session: Session<ChessGame>,
    pub(super) players: ByColor<Player<ChessGame>>,
    pub(super) style: Style,
    pub(super) input: Input,
    /// The side at the bottom of the board.
    pub(super) bottom: Color,
    /// The evaluation whose fields are shown.
    pub(super) evaluation: String,
    pub(super) out: io::Stdout,
}

impl PlainGame {
    /// A new game.
    pub fn new(
        game: ChessGame,
        players: ByColor<Player<ChessGame>>,
        style: Style,
        input: Input,
    ) -> PlainGame {
        let humans = players.as_ref().map(Player::is_human);
        let session = Session::new(game, humans, Instant::now());
        let (bottom, evaluation) = (player::bottom(humans), evaluations::DEFAULT.to_owned());
        PlainGame { session, players, style, input, bottom, evaluation, out: io::stdout() }
    }

    /// The current position and its history.
    pub fn into_session(self) -> Session<ChessGame> {
        self.session
    }

    /// Plays until the game is over or the person quits.
    pub fn play(&mut self) -> anyhow::Result<Ending> {
        writeln!(self.out, "White: {}. Black: {}.", self.players.white, self.players.black)?;
        if self.players.iter().any(Player::is_human) {
            writeln!(self.out, "Type a move (e2e4, Nf3, O-O) or `help`.")?;
        }
        loop {
            if let Some(outcome) = self.session.outcome() {
                self.show_board()?;
                return Ok(Ending::Over(outcome));
            }
            let turn = self.session.game().side_to_move();
            let ending = match self.players[turn] {
                Player::Human => self.ask(turn)?,
                Player::Agent { .. } => self.think(turn)?,
            };
            if let Some(ending) = ending {
                return Ok(ending);
            }
        }
    }

    /// Lets an agent choose and plays its move.
    fn think(&mut self, turn: Color) -> anyhow::Result<Option<Ending>> {
        let Player::Agent { name, agent, limits } = &mut self.players[turn] else { return Ok(None) };
        let (game, stop) = (self.session.game(), &self.input.stop);
        let started = Instant::now();
        let choice = live::choose(agent.as_mut(), (game, turn), limits, stop, &mut self.out, |info| {
            summary(game, info)
        })?;
        if self.input.stop.is_stopped() {
            return Ok(Some(Ending::Left("Interrupted")));
        }
        let m = match choice.action {
            Ok(m) => m,
            Err(error) => return decisions::agent_failed(&mut self.session, name, error).map(Some),
        };
        let mut last = choice.info;
        let score = last.as_ref().map(|info| info.score);
        if let Some(info) = last.as_mut().filter(|info| info.line.first() != Some(&m)) {
            // The agent changed its move at the last moment; the line belongs to another one.
            info.line.clear();
        }
        let details = match &last {
            Some(info) => summary(self.session.game(), info),
            None => format!("{:.2} s", started.elapsed().as_secs_f64()),
        };
        let played = text::numbered(self.session.game().position(), &[m]);
        let paint = self.style.paint;
        writeln!(self.out, "{} {}", paint.bold(format_args!("{played:<14}")), paint.dim(details))?;
        self.session.play(&[m], score, Instant::now());
        Ok(None)
    }

    /// Draws the board.
    pub fn show_board(&mut self) -> io::Result<()> {
        let game = self.session.game();
        let last = game.moves().last().copied();
        writeln!(self.out)?;
        for line in board::draw(game.position(), last, self.bottom, self.style) {
            writeln!(self.out, "{line}")?;
        }
        if game.position().is_check() && game.outcome().is_none() {
            writeln!(self.out, "Check!")?;
        }
        writeln!(self.out)
    }
}

/// Search information of an agent on one line.
fn summary(game: &ChessGame, info: &SearchInfo<Move>) -> String {
    let score = WhiteScore::new(info.score, info.bound, game.side_to_move());
    let shown = &info.line[..info.line.len().min(MOVES_SHOWN)];
    let line = text::numbered(game.position(), shown);
    format!(
        "{}, depth {}, {} nodes, {:.2} s  {line}",
        score.phrase(),
        info.depth,
        text::short_count(info.nodes),
        info.elapsed.as_secs_f64(),
    )
}
