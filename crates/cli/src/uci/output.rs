//! Lines to the interface, whole and at once, from any thread.

use std::fmt::Display;
use std::io::Write;

use tabia_uci::{Info, Reply};

/// Writes one line. A reader that has gone away is no error: the end of input follows.
pub fn line(text: impl Display) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}");
    let _ = out.flush();
}

/// Sends a reply of the protocol.
pub fn send(reply: Reply) {
    line(reply);
}

/// Says something to the person behind the interface.
pub fn say(text: impl Display) {
    for part in text.to_string().lines() {
        send(Reply::Info(Info::message(part)));
    }
}
