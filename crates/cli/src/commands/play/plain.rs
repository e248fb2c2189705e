//! The game on the table: whose turn it is, what they do, and how it ends.

use std::io::{self, Write};
use std::time::Instant;

use anyhow::Context;
use shakmaty::{ByColor, Color, Move, Position};
use tabia_core::{AgentError, ChessGame, Game, Outcome, Reason, Score, Thought};

use super::board::{self, Style};
use super::etiquette::MOVES_SHOWN;
use super::input::Input;
use super::player::{self, Ending, Player};
use crate::evaluations;
use crate::live;
use crate::text::{self, WhiteScore};

/// A game under way.
pub struct PlainGame {
    pub(super) game: ChessGame,
    pub(super) players: ByColor<Player>,
    pub(super) style: Style,
    pub(super) input: Input,
    /// Which side is below.
    pub(super) bottom: Color,
    /// What each agent thought of its last position, in its own view.
    pub(super) evaluations: ByColor<Option<Score>>,
    /// Whose fields are shown.
    pub(super) evaluation: &'static str,
    pub(super) out: io::Stdout,
}

impl PlainGame {
    /// A table with a game on it.
    pub fn new(game: ChessGame, players: ByColor<Player>, style: Style, input: Input) -> PlainGame {
        let bottom = player::bottom(players.as_ref().map(Player::is_human));
        let evaluations = ByColor { white: None, black: None };
        let evaluation = evaluations::DEFAULT;
        PlainGame { game, players, style, input, bottom, evaluations, evaluation, out: io::stdout() }
    }

    /// The game as it stands.
    pub fn into_game(self) -> ChessGame {
        self.game
    }

    /// Plays until it is over or somebody leaves.
    pub fn play(&mut self) -> anyhow::Result<Ending> {
        writeln!(self.out, "White: {}. Black: {}.", self.players.white, self.players.black)?;
        if self.players.iter().any(Player::is_human) {
            writeln!(self.out, "Type a move (e2e4, Nf3, O-O) or `help`.")?;
        }
        loop {
            if let Some(outcome) = self.game.outcome() {
                self.show_board()?;
                return Ok(Ending::Over(outcome));
            }
            let turn = self.game.side_to_move();
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
        let (game, stop) = (&self.game, &self.input.stop);
        let started = Instant::now();
        let choice = live::choose(agent.as_mut(), (game, turn), limits, stop, &mut self.out, |thought| {
            summary(game, thought)
        })?;
        if self.input.stop.is_stopped() {
            return Ok(Some(Ending::Left("Interrupted")));
        }
        if let Err(AgentError::Resigned) = choice.action {
            return Ok(Some(Ending::Over(Outcome::win(turn.other(), Reason::Resignation))));
        }
        let mut last = choice.thought;
        let m = choice.action.with_context(|| format!("{name} has no move for {}", text::side(turn)))?;
        self.evaluations[turn] = last.as_ref().map(|thought| thought.score);
        if let Some(thought) = last.as_mut().filter(|thought| thought.line.first() != Some(&m)) {
            // It ran out of time over another move than the one it had a line for.
            thought.line.clear();
        }
        let thoughts = match &last {
            Some(thought) => summary(&self.game, thought),
            None => format!("{:.2} s", started.elapsed().as_secs_f64()),
        };
        let played = text::numbered(self.game.position(), &[m]);
        let paint = self.style.paint;
        writeln!(self.out, "{} {}", paint.bold(format_args!("{played:<14}")), paint.dim(thoughts))?;
        self.game.apply(m);
        Ok(None)
    }

    /// Draws the board.
    pub fn show_board(&mut self) -> io::Result<()> {
        let last = self.game.moves().last().copied();
        writeln!(self.out)?;
        for line in board::draw(self.game.position(), last, self.bottom, self.style) {
            writeln!(self.out, "{line}")?;
        }
        if self.game.position().is_check() && self.game.outcome().is_none() {
            writeln!(self.out, "Check!")?;
        }
        writeln!(self.out)
    }
}

/// What an agent thinks, on one line.
fn summary(game: &ChessGame, thought: &Thought<Move>) -> String {
    let score = WhiteScore::new(thought.score, thought.bound, game.side_to_move());
    let shown = &thought.line[..thought.line.len().min(MOVES_SHOWN)];
    let line = text::numbered(game.position(), shown);
    format!(
        "{}, depth {}, {} nodes, {:.2} s  {line}",
        score.phrase(),
        thought.depth,
        text::short_count(thought.nodes),
        thought.elapsed.as_secs_f64(),
    )
}
