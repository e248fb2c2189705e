//! A game in lines of text.

use std::io::{self, BufRead, Write};

use super::walk::{self, Step, Walked};
use crate::commands::play::board::Style;
use crate::terminal::Paint;

/// Prints the whole game, position by position.
pub fn print(mut walk: impl Walked) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let style = Style { paint: Paint::for_stream(&io::stdout()), unicode: false };
    writeln!(out, "{}", walk.players())?;
    loop {
        walk.show(&mut out, style)?;
        if !walk.step(Step::Forward) {
            return Ok(());
        }
    }
}

/// Shows one position for each line of input.
pub fn step(mut walk: impl Walked, person: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let style = Style { paint: Paint::for_stream(&io::stdout()), unicode: false };
    writeln!(out, "{}", walk.players())?;
    walk.show(&mut out, style)?;
    let mut lines = io::stdin().lock().lines();
    loop {
        if person {
            write!(out, "n next, p back, f first, l last, t turn, a number, q quit > ")?;
        }
        out.flush()?;
        let Some(line) = lines.next().transpose()? else { return Ok(()) };
        let word = line.trim();
        if ["q", "quit", "exit"].iter().any(|quit| word.eq_ignore_ascii_case(quit)) {
            return Ok(());
        }
        match walk::step(word) {
            None => writeln!(out, "\"{word}\" is none of n, p, f, l, t, q and no number of a move")?,
            Some(step) if walk.step(step) => walk.show(&mut out, style)?,
            Some(Step::To(number)) => writeln!(out, "there is no move {number}")?,
            Some(Step::Back) => writeln!(out, "this is the start")?,
            Some(_) => writeln!(out, "this is the end")?,
        }
    }
}
