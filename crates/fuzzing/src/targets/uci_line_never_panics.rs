//! Any line from a GUI or an engine is read or refused, and what was read survives being written down.
//!
//! The same lines are then told to a client that is in the middle of a search, for it must live with whatever an
//! engine prints.

use tabia_uci::{Client, Command, Reply};

/// Reads the input; panics where what must hold does not.
pub fn check(text: &str) {
    let mut client = Client::new();
    let _ = client.send(&Command::Uci);
    for line in text.lines() {
        if let Ok(Some(command)) = Command::read(line) {
            let written = command.to_string();
            assert_eq!(Command::read(&written).as_ref(), Ok(&Some(command.clone())), "{written:?}");
            let _ = client.send(&command);
        }
        if let Ok(reply) = line.parse::<Reply>() {
            let written = reply.to_string();
            assert_eq!(written.parse::<Reply>().as_ref(), Ok(&reply), "{written:?}");
        }
        let _ = client.on_line(line);
    }
}
