//! Lines to the interface, whole and at once, from any thread.

use std::fmt::Display;
use std::sync::Arc;

use tabia_core::printable;
use tabia_uci::{Info, Reply};

/// Where a session's lines go.
#[derive(Clone)]
pub struct Output(Arc<dyn Fn(&str) + Send + Sync>);

impl Output {
    /// Gives every line to `write`, without its end. It is called from several threads.
    pub fn new(write: impl Fn(&str) + Send + Sync + 'static) -> Output {
        Output(Arc::new(write))
    }

    /// Writes one line, or a text of several.
    pub fn line(&self, text: impl Display) {
        (self.0)(&text.to_string());
    }

    /// Sends a reply of the protocol.
    pub fn send(&self, reply: &Reply) {
        self.line(reply);
    }

    /// Writes an `info string` line.
    pub fn say(&self, text: impl Display) {
        for part in text.to_string().lines() {
            // What is quoted came from the interface, or from a file that it named.
            self.send(&Reply::Info(Info::message(printable(part))));
        }
    }
}
