//! The person's turn: a move or a command.

use std::io::{self, Write};
use std::time::Instant;

use shakmaty::{Color, Move, Position, Role};
use tabia_core::SearchInfo;
use tabia_core::chess::role_name;
use tabia_session::typed_move;

use super::input::{self, COMMANDS, Command};
use super::plain::PlainGame;
use super::player::Ending;
use super::{decisions, hint};
use crate::commands::field;
use crate::text;

impl PlainGame {
    /// Asks the person until a move is made or the game ends.
    pub fn ask(&mut self, turn: Color) -> anyhow::Result<Option<Ending>> {
        self.show_board()?;
        loop {
            write!(self.out, "{}> ", text::side(turn))?;
            self.out.flush()?;
            let line = match self.input.line(&mut self.out)? {
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
                    if self.session.game().side_to_move() != turn {
                        return Ok(None);
                    }
                }
                None => match input::read_move(self.session.game(), &line) {
                    Ok(m) => {
                        self.session.play(&[m], None, Instant::now());
                        return Ok(None);
                    }
                    Err(fault) => writeln!(self.out, "{}", self.style.paint.red(fault))?,
                },
            }
        }
    }

    fn obey(&mut self, word: Command, rest: &str, turn: Color) -> anyhow::Result<Option<Ending>> {
        match word {
            Command::Quit => return Ok(Some(Ending::Left("Left"))),
            Command::Resign => return decisions::resign(&mut self.session, turn),
            Command::Draw => {
                return decisions::offer_draw(&mut self.session, turn, &self.input, &mut self.out);
            }
            Command::Undo => self.take_back(turn)?,
            Command::Hint => self.hint()?,
            Command::Board => self.show_board()?,
            Command::Flip => {
                self.bottom = self.bottom.other();
                self.show_board()?;
            }
            Command::Fen => writeln!(self.out, "{}", self.session.game().fen())?,
            Command::Moves => self.list_moves()?,
            Command::Field => self.show_field(rest)?,
            Command::Help => {
                writeln!(self.out, "A move: e2e4, e7e8q, Nf3, exd5, O-O. Or one of these commands:")?;
                for (name, _, help) in COMMANDS {
                    writeln!(self.out, "  {name:<8} {help}")?;
                }
            }
        }
        Ok(None)
    }

    /// Takes back to the person's last decision: one half-move between two people, two against an agent.
    fn take_back(&mut self, turn: Color) -> io::Result<()> {
        match self.session.take_back(Instant::now()) {
            Err(refusal) => writeln!(self.out, "{refusal}"),
            Ok(_) if self.session.humans()[turn.other()] => Ok(()),
            Ok(_) => self.show_board(),
        }
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        let (mut agent, limits) = hint::hint_agent()?;
        let mut line = Vec::new();
        let mut keep = |info: &SearchInfo<Move>| line.clone_from(&info.line);
        let best = agent.choose(self.session.game(), &limits, &self.input.stop, &mut keep)?;
        writeln!(self.out, "{}", hint::hint(self.session.game(), best, line))?;
        Ok(())
    }

    /// Shows a field of an evaluation: `field`, `field control`, `field axon`, `field axon mobility`.
    fn show_field(&mut self, arguments: &str) -> anyhow::Result<()> {
        match field::parse(arguments, &self.evaluation, self.session.game()) {
            Ok(seen) => {
                self.evaluation.clone_from(&seen.evaluation);
                let paint = self.style.paint;
                field::show(&mut self.out, paint, &seen.evaluation, self.session.game(), &[seen.field()])?;
                writeln!(self.out, "{}", paint.dim(seen.others()))?;
            }
            Err(fault) => writeln!(self.out, "{}", self.style.paint.red(fault))?,
        }
        Ok(())
    }

    fn list_moves(&mut self) -> io::Result<()> {
        let moves = self.session.game().position().legal_moves();
        for role in Role::ALL {
            let of_role = moves.iter().copied().filter(|m| m.role() == role);
            let listed = typed_move::listed(self.session.game(), of_role);
            if !listed.is_empty() {
                writeln!(self.out, "  {:<7} {listed}", role_name(role))?;
            }
        }
        Ok(())
    }
}
