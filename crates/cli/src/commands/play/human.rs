//! The person's turn: a move, or one of the words.

use std::io::{self, IsTerminal, Write};

use shakmaty::{Color, Move, Position, Role};
use tabia_core::chess::role_name;
use tabia_core::{Game, Outcome, Reason, Thought};

use super::input::{self, COMMANDS, Command, InputEvent};
use super::plain::PlainGame;
use super::player::{Ending, Player};
use super::{etiquette, move_input};
use crate::commands::field;
use crate::text;

impl PlainGame {
    /// Asks the person until a move is made or the game ends.
    pub fn ask(&mut self, turn: Color) -> anyhow::Result<Option<Ending>> {
        self.show_board()?;
        loop {
            write!(self.out, "{}> ", text::side(turn))?;
            self.out.flush()?;
            let line = match self.handle()? {
                Ok(line) => line,
                Err(left) => return Ok(Some(left)),
            };
            if line.is_empty() {
                continue;
            }
            match input::word(&line) {
                Some((word, rest)) => {
                    if let Some(ending) = self.obey(word, rest, turn)? {
                        return Ok(Some(ending));
                    }
                    if self.game.side_to_move() != turn {
                        return Ok(None);
                    }
                }
                None => match move_input::read_move(&self.game, &line) {
                    Ok(m) => {
                        self.game.apply(m);
                        return Ok(None);
                    }
                    Err(fault) => writeln!(self.out, "{}", self.style.paint.red(fault))?,
                },
            }
        }
    }

    /// The next line, or how the game ends for want of one.
    fn handle(&mut self) -> io::Result<Result<String, Ending>> {
        let heard = self.input.next();
        let left = match heard {
            InputEvent::Line(line) => {
                let line = line.trim().to_owned();
                if !io::stdin().is_terminal() {
                    // Typed lines are on the screen already; others are put there, so that it reads as a game.
                    writeln!(self.out, "{line}")?;
                }
                return Ok(Ok(line));
            }
            InputEvent::EndOfInput => Ending::Left("No more input"),
            InputEvent::Interrupt => Ending::Left("Interrupted"),
        };
        writeln!(self.out)?;
        Ok(Err(left))
    }

    fn obey(&mut self, word: Command, rest: &str, turn: Color) -> anyhow::Result<Option<Ending>> {
        match word {
            Command::Quit => return Ok(Some(Ending::Left("Left"))),
            Command::Resign => {
                return Ok(Some(Ending::Over(Outcome::win(turn.other(), Reason::Resignation))));
            }
            Command::Draw => return self.offer_draw(turn),
            Command::Undo => self.undo(turn)?,
            Command::Hint => self.hint()?,
            Command::Board => self.show_board()?,
            Command::Flip => {
                self.bottom = self.bottom.other();
                self.show_board()?;
            }
            Command::Fen => writeln!(self.out, "{}", self.game.fen())?,
            Command::Moves => self.list_moves()?,
            Command::Field => self.show_field(rest)?,
            Command::Help => {
                writeln!(self.out, "A move: e2e4, e7e8q, Nf3, exd5, O-O. Or one of these words:")?;
                for (name, _, help) in COMMANDS {
                    writeln!(self.out, "  {name:<8} {help}")?;
                }
            }
        }
        Ok(None)
    }

    /// Takes back to the person's last decision: one half-move between two people, two against an agent.
    fn undo(&mut self, turn: Color) -> io::Result<()> {
        let human = self.players.as_ref().map(Player::is_human);
        if !etiquette::take_back(&mut self.game, human) {
            return writeln!(self.out, "there is no move of yours to take back");
        }
        if human[turn.other()] { Ok(()) } else { self.show_board() }
    }

    /// An agent agrees when it is worse, or when a long game is level; a person is asked.
    fn offer_draw(&mut self, turn: Color) -> anyhow::Result<Option<Ending>> {
        let other = turn.other();
        let accepted = match &self.players[other] {
            Player::Agent { .. } => {
                self.evaluations[other].is_some_and(|score| etiquette::is_drawish(&self.game, score))
            }
            Player::Human => {
                write!(self.out, "{}, do you accept a draw? (y/n) ", text::side(other))?;
                self.out.flush()?;
                match self.handle()? {
                    Ok(line) => matches!(line.to_lowercase().as_str(), "y" | "yes"),
                    Err(left) => return Ok(Some(left)),
                }
            }
        };
        if accepted {
            return Ok(Some(Ending::Over(Outcome::draw(Reason::Agreement))));
        }
        writeln!(self.out, "{} declines.", text::side(other))?;
        Ok(None)
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        let (mut agent, limits) = etiquette::adviser()?;
        let mut line = Vec::new();
        let mut keep = |thought: &Thought<Move>| line.clone_from(&thought.line);
        let best = agent.choose(&self.game, &limits, &self.input.stop, &mut keep)?;
        writeln!(self.out, "{}", etiquette::hint(&self.game, best, line))?;
        Ok(())
    }

    /// A field of the evaluation that is looked at: `field`, `field control`, `field axon`, `field axon mobility`.
    fn show_field(&mut self, words: &str) -> anyhow::Result<()> {
        match field::parse(words, self.evaluation, &self.game) {
            Ok(seen) => {
                self.evaluation = seen.evaluation;
                let paint = self.style.paint;
                field::show(&mut self.out, paint, seen.evaluation, &self.game, &[seen.field()])?;
                writeln!(self.out, "{}", paint.dim(seen.others()))?;
            }
            Err(fault) => writeln!(self.out, "{}", self.style.paint.red(fault))?,
        }
        Ok(())
    }

    fn list_moves(&mut self) -> io::Result<()> {
        let moves = self.game.position().legal_moves();
        for role in Role::ALL {
            let of_role = moves.iter().copied().filter(|m| m.role() == role);
            let listed = move_input::listed(&self.game, of_role);
            if !listed.is_empty() {
                writeln!(self.out, "  {:<7} {listed}", role_name(role))?;
            }
        }
        Ok(())
    }
}
