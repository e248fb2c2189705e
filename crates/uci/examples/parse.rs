//! Reads lines of UCI from standard input and says what each means to an engine or a GUI.
//!
//! ```sh
//! printf 'go depth 8\nbestmove e2e4\n' | cargo run -p tabia-uci --example parse
//! ```

use std::io::{self, BufRead};

use tabia_uci::{Command, Reply};

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        match Command::read(&line) {
            Ok(Some(command)) => println!("command: {command:?}"),
            Ok(None) => {}
            Err(_) => match line.parse::<Reply>() {
                Ok(reply) => println!("reply: {reply:?}"),
                Err(error) => println!("neither: {error}"),
            },
        }
    }
    Ok(())
}
