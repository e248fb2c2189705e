//! The person's turn: a move or a command.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use shakmaty::{Color, Square};
use tabia_core::chess::role_name;
use tabia_core::{AgentSpec, Limits, spelling};
use tabia_quantum::phrases::percent;
use tabia_quantum::{Action, Marginals, perft};

use super::board::list_branches;
use super::play::QuantumPlainGame;
use crate::commands::play::decisions;
use crate::commands::play::player::Ending;
use crate::{catalogue, text};

/// Search time of a hint.
const HINT_TIME: Duration = Duration::from_millis(700);
/// Maximum number of listed branches and correlations.
const MAX_LISTED: usize = 24;

/// All commands with their descriptions.
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
    ("draw", "offer a draw"),
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
            let line = match self.input.line(&mut self.out)? {
                Ok(line) => line,
                Err(left) => return Ok(Some(left)),
            };
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            match word.to_lowercase().as_str() {
                "" => {}
                "quit" | "exit" => return Ok(Some(Ending::Left("Left"))),
                "resign" => return decisions::resign(&mut self.session, turn),
                "draw" => {
                    let (input, out) = (&self.input, &mut self.out);
                    if let Some(ending) = decisions::offer_draw(&mut self.session, turn, input, out)? {
                        return Ok(Some(ending));
                    }
                }
                "undo" => match self.session.take_back(Instant::now()) {
                    Ok(_) => {
                        self.plies.truncate(self.session.ply());
                        return Ok(None);
                    }
                    Err(refusal) => writeln!(self.out, "{refusal}")?,
                },
                word if COMMANDS.iter().any(|(name, _)| *name == word) || word == "?" => {
                    self.tell(word, rest.trim())?;
                }
                _ => match self.session.game().read_move(&line) {
                    Ok(m) => {
                        self.make(m, None, "")?;
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

    fn tell(&mut self, word: &str, about: &str) -> anyhow::Result<()> {
        match word {
            "moves" => self.list_moves(about)?,
            "odds" => match self.session.game().read_move(about) {
                Ok(m) => {
                    let chance = percent(self.session.game().success_chance(m));
                    writeln!(
                        self.out,
                        "{} succeeds {chance} of the time",
                        self.session.game().write_move(m)
                    )?;
                }
                Err(error) => writeln!(self.out, "{}", self.paint.red(error))?,
            },
            "where" => self.tell_square(about)?,
            "branches" => {
                for line in list_branches(self.session.game(), MAX_LISTED) {
                    writeln!(self.out, "{line}")?;
                }
            }
            "hint" => self.hint()?,
            "board" => self.show_board()?,
            "flip" => {
                self.bottom = self.bottom.other();
                self.show_board()?;
            }
            "text" => writeln!(self.out, "{}", self.session.game())?,
            _ => {
                writeln!(
                    self.out,
                    "A move: b1c3, a split: b1~c3, to become a knight: e7e8n. Or one of these commands:"
                )?;
                for (name, help) in COMMANDS {
                    writeln!(self.out, "  {name:<9} {help}")?;
                }
            }
        }
        Ok(())
    }

    fn list_moves(&mut self, from: &str) -> io::Result<()> {
        let moves = perft::moves(self.session.game(), false);
        let mut lines: Vec<(Square, Vec<String>)> = Vec::new();
        for m in moves.into_iter().filter(|m| from.is_empty() || m.from().to_string() == from) {
            let chance = self.session.game().success_chance(m);
            let chance = if chance < 1.0 { format!(" ({})", percent(chance)) } else { String::new() };
            let written = format!("{}{chance}", self.session.game().write_move(m));
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
        writeln!(self.out, "{square}: {}", self.session.game().on_square(square))?;
        let Some((piece, _)) = Marginals::new(self.session.game()).on(square).into_iter().next() else {
            return Ok(());
        };
        let links = self.session.game().entangled(piece, square);
        for link in links.iter().take(MAX_LISTED) {
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
        match agent.choose(self.session.game(), &limits, &self.input.stop, &mut |_| {})? {
            Action::Move(m) => {
                let chance = percent(self.session.game().success_chance(m));
                writeln!(self.out, "{} (succeeds {chance})", self.session.game().write_move(m))?;
            }
            other => writeln!(self.out, "{other}")?,
        }
        Ok(())
    }
}
