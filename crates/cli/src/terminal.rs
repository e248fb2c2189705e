//! What a terminal gets that a file does not: colour, and signs of life.

use std::fmt;
use std::io::{IsTerminal, Write};

/// Adds colour to text, or leaves it alone.
#[derive(Copy, Clone, Debug)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// Colour for a stream, if it is a terminal and nobody asked for none (`NO_COLOR`, `TERM=dumb`).
    pub fn for_stream(stream: &impl IsTerminal) -> Paint {
        Paint { on: stream.is_terminal() && wants_color() }
    }

    /// No colour.
    pub const fn none() -> Paint {
        Paint { on: false }
    }

    /// Whether there is colour.
    pub const fn is_on(self) -> bool {
        self.on
    }

    /// Text in a style given by the numbers of an ANSI escape.
    pub fn style(self, codes: &str, text: impl fmt::Display) -> String {
        if self.on { format!("\x1b[{codes}m{text}\x1b[0m") } else { text.to_string() }
    }

    /// What matters most.
    pub fn bold(self, text: impl fmt::Display) -> String {
        self.style("1", text)
    }

    /// What matters least.
    pub fn dim(self, text: impl fmt::Display) -> String {
        self.style("2", text)
    }

    /// What went wrong.
    pub fn red(self, text: impl fmt::Display) -> String {
        self.style("31", text)
    }
}

/// Whether nobody asked for no colour (`NO_COLOR`), and the terminal knows what it is.
pub fn wants_color() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) && !is_dumb()
}

/// Whether the terminal says that it only prints (`TERM=dumb`).
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|value| value == "dumb")
}

/// Erases the line that is being written and goes back to its start. Only for terminals.
pub const ERASE_LINE: &str = "\r\x1b[2K";

/// A line on standard error that the next one overwrites; only for a person.
pub fn progress(text: &str) {
    let mut out = std::io::stderr();
    if out.is_terminal() {
        // A sign of life; nothing is lost when it cannot be shown.
        let _ = write!(out, "{ERASE_LINE}{text}");
        let _ = out.flush();
    }
}
