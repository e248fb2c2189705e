//! A game in lines of text.

use std::io::{self, BufRead, Write};

use super::walk::{self, Step, Walk};
use crate::commands::play::board::{self, Style};
use crate::terminal::Paint;

/// Prints the whole game, position by position.
pub fn print(mut walk: Walk) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let style = Style { paint: Paint::for_stream(&io::stdout()), unicode: false };
    writeln!(out, "{}", walk.players())?;
    loop {
        show(&mut out, &walk, style)?;
        if !walk.step(Step::Forward) {
            return Ok(());
        }
    }
}

/// Shows one position for each line of input.
pub fn step(mut walk: Walk, person: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let style = Style { paint: Paint::for_stream(&io::stdout()), unicode: false };
    writeln!(out, "{}", walk.players())?;
    show(&mut out, &walk, style)?;
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
            Some(step) if walk.step(step) => show(&mut out, &walk, style)?,
            Some(Step::To(number)) => writeln!(out, "there is no move {number}")?,
            Some(Step::Back) => writeln!(out, "this is the start")?,
            Some(_) => writeln!(out, "this is the end")?,
        }
    }
}

/// One position with the information about its last move.
fn show(out: &mut impl Write, walk: &Walk, style: Style) -> io::Result<()> {
    let score = walk.score().map(|score| format!("  {}", score.phrase())).unwrap_or_default();
    writeln!(out, "\n{}{score}", style.paint.bold(walk.heading()))?;
    if let Some(opening) = walk.opening().filter(|_| walk.at > 0) {
        writeln!(out, "{}", style.paint.dim(opening))?;
    }
    for line in board::draw(walk.position(), walk.last(), walk.bottom, style) {
        writeln!(out, "{line}")?;
    }
    if let Some(comment) = walk.comment() {
        writeln!(out, "{comment}")?;
    }
    for line in walk.variations() {
        writeln!(out, "instead: {line}")?;
    }
    Ok(())
}
