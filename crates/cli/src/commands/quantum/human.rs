//! The person's turn: a move, or one of the words.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use shakmaty::{Color, Square};
use tabia_core::chess::role_name;
use tabia_core::{AgentSpec, Limits, Outcome, Reason, spelling};
use tabia_quantum::phrases::percent;
use tabia_quantum::{Action, Marginals, perft};

use super::play::{Ending, Player, QuantumPlainGame, list_branches};
use crate::commands::play::input::InputEvent;
use crate::{catalogue, text};

/// How long a hint is thought about.
const HINT_TIME: Duration = Duration::from_millis(700);
/// Branches and links that are listed.
const MOST_LISTED: usize = 24;

/// Every word, with what it does.
const COMMANDS: &[(&str, &str)] = &[
    ("help", "this list"),
    ("moves", "the legal moves with their chances; `moves b1` those from b1"),
    ("odds", "`odds b1c3`: how likely a move succeeds"),
    ("where", "`where c3`: what may stand there, and what depends on it"),
    ("branches", "the boards there are, heaviest first"),
    ("hint", "what the search would play"),
    ("undo", "take your last move back; what is measured anew may come out otherwise"),
    ("board", "the board again"),
    ("flip", "turn the board round"),
    ("text", "the position as text"),
    ("resign", "give the game up"),
    ("quit", "leave; the game is kept"),
];

impl QuantumPlainGame {
    /// Asks the person until a move is made or the game ends.
    pub(super) fn ask(&mut self, turn: Color) -> anyhow::Result<Option<Ending>> {
        self.show_board()?;
        loop {
            write!(self.out, "{}> ", text::side(turn))?;
            self.out.flush()?;
            let line = match self.input.next() {
                InputEvent::Line(line) => line.trim().to_owned(),
                InputEvent::EndOfInput => return self.leave("No more input"),
                InputEvent::Interrupt => return self.leave("Interrupted"),
            };
            if !io::stdin().is_terminal() {
                // Typed lines are on the screen already; others are put there, so that it reads as a game.
                writeln!(self.out, "{line}")?;
            }
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            match word.to_lowercase().as_str() {
                "" => {}
                "quit" | "exit" => return Ok(Some(Ending::Left("Left"))),
                "resign" => return Ok(Some(Ending::Over(Outcome::win(turn.other(), Reason::Resignation)))),
                "undo" => {
                    if self.undo(turn)? {
                        return Ok(None);
                    }
                }
                word if COMMANDS.iter().any(|(name, _)| *name == word) || word == "?" => {
                    self.tell(word, rest.trim())?;
                }
                _ => match self.game.read_move(&line) {
                    Ok(m) => {
                        self.make(m, "")?;
                        return Ok(None);
                    }
                    Err(error) => {
                        let hint = spelling::hint(word, COMMANDS.iter().map(|(name, _)| *name));
                        writeln!(self.out, "{}", self.paint.red(format_args!("{error}{hint}")))?;
                    }
                },
            }
        }
    }

    fn leave(&mut self, why: &'static str) -> anyhow::Result<Option<Ending>> {
        writeln!(self.out)?;
        Ok(Some(Ending::Left(why)))
    }

    /// Takes back to the person's last decision; tells whether there was one.
    fn undo(&mut self, turn: Color) -> io::Result<bool> {
        let plies = if matches!(self.players[turn.other()], Player::Agent { .. }) { 2 } else { 1 };
        if self.past.len() < plies {
            writeln!(self.out, "there is no move of yours to take back")?;
            return Ok(false);
        }
        for _ in 0..plies {
            if let Some((game, ..)) = self.past.pop() {
                self.game = game;
            }
        }
        Ok(true)
    }

    fn tell(&mut self, word: &str, about: &str) -> anyhow::Result<()> {
        match word {
            "moves" => self.list_moves(about)?,
            "odds" => match self.game.read_move(about) {
                Ok(m) => {
                    let chance = percent(self.game.success_chance(m));
                    writeln!(self.out, "{} succeeds {chance} of the time", self.game.write_move(m))?;
                }
                Err(error) => writeln!(self.out, "{}", self.paint.red(error))?,
            },
            "where" => self.tell_square(about)?,
            "branches" => {
                for line in list_branches(&self.game, MOST_LISTED) {
                    writeln!(self.out, "{line}")?;
                }
            }
            "hint" => self.hint()?,
            "board" => self.show_board()?,
            "flip" => {
                self.bottom = self.bottom.other();
                self.show_board()?;
            }
            "text" => writeln!(self.out, "{}", self.game)?,
            _ => {
                writeln!(
                    self.out,
                    "A move: b1c3, a split: b1~c3, to become a knight: e7e8n. Or one of these words:"
                )?;
                for (name, help) in COMMANDS {
                    writeln!(self.out, "  {name:<9} {help}")?;
                }
            }
        }
        Ok(())
    }

    fn list_moves(&mut self, from: &str) -> io::Result<()> {
        let moves = perft::moves(&self.game, false);
        let mut lines: Vec<(Square, Vec<String>)> = Vec::new();
        for m in moves.into_iter().filter(|m| from.is_empty() || m.from().to_string() == from) {
            let chance = self.game.success_chance(m);
            let chance = if chance < 1.0 { format!(" ({})", percent(chance)) } else { String::new() };
            let written = format!("{}{chance}", self.game.write_move(m));
            match lines.last_mut().filter(|(square, _)| *square == m.from()) {
                Some((_, line)) => line.push(written),
                None => lines.push((m.from(), vec![written])),
            }
        }
        if lines.is_empty() {
            return writeln!(self.out, "nothing of yours can move from {from}");
        }
        for (square, line) in lines {
            writeln!(self.out, "  {square}  {}", line.join(" "))?;
        }
        Ok(())
    }

    fn tell_square(&mut self, about: &str) -> io::Result<()> {
        let Ok(square) = about.to_lowercase().parse::<Square>() else {
            return writeln!(self.out, "\"{about}\" is no square; write `where c3`");
        };
        writeln!(self.out, "{square}: {}", self.game.on_square(square))?;
        let Some((piece, _)) = Marginals::new(&self.game).on(square).into_iter().next() else {
            return Ok(());
        };
        let links = self.game.entangled(piece, square);
        for link in links.iter().take(MOST_LISTED) {
            writeln!(
                self.out,
                "  {} {} on {}: {} if it is there, {} if not",
                text::side(link.piece.color),
                role_name(link.piece.role),
                link.square,
                percent(link.if_present),
                percent(link.if_absent),
            )?;
        }
        Ok(())
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        let mut agent = catalogue::quantum().build(&AgentSpec::named("mcts").with("simulations", 0))?;
        let limits = Limits::movetime(HINT_TIME);
        match agent.choose(&self.game, &limits, &self.input.stop, &mut |_| {})? {
            Action::Move(m) => {
                let chance = percent(self.game.success_chance(m));
                writeln!(self.out, "{} (succeeds {chance})", self.game.write_move(m))?;
            }
            other => writeln!(self.out, "{other}")?,
        }
        Ok(())
    }
}
