//! Colours and progress lines on a terminal.

use std::fmt;
use std::io::{IsTerminal, Write};

/// Adds colour to text if enabled.
#[derive(Copy, Clone, Debug)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// Enabled for a terminal, unless `NO_COLOR` or `TERM=dumb` is set.
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

    /// Text with an ANSI style.
    pub fn style(self, codes: &str, text: impl fmt::Display) -> String {
        if self.on { format!("\x1b[{codes}m{text}\x1b[0m") } else { text.to_string() }
    }

    pub fn bold(self, text: impl fmt::Display) -> String {
        self.style("1", text)
    }

    pub fn dim(self, text: impl fmt::Display) -> String {
        self.style("2", text)
    }

    pub fn red(self, text: impl fmt::Display) -> String {
        self.style("31", text)
    }
}

/// Whether the environment allows colour (`NO_COLOR`, `TERM=dumb`).
pub fn wants_color() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) && !is_dumb()
}

/// Whether the terminal says that it only prints (`TERM=dumb`).
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|value| value == "dumb")
}

/// Erases the current line. Only for terminals.
pub const ERASE_LINE: &str = "\r\x1b[2K";

/// A progress line on standard error that the next one overwrites; only on a terminal.
pub fn progress(text: &str) {
    let mut out = std::io::stderr();
    if out.is_terminal() {
        // Progress that cannot be shown is no error.
        let _ = write!(out, "{ERASE_LINE}{text}");
        let _ = out.flush();
    }
}
