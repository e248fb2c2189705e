//! Full-screen mode of the terminal, restored when it is left, on errors and on panics.

use std::io;
use std::panic;
use std::thread;
use std::time::Duration;

use crossterm::cursor::Show;
use crossterm::{event, execute};
use ratatui::DefaultTerminal;

/// Full-screen mode until this is dropped.
pub struct FullScreen {
    pub terminal: DefaultTerminal,
}

impl FullScreen {
    /// Enters full-screen mode.
    pub fn open() -> io::Result<FullScreen> {
        // Ratatui's own hook leaves the screen and then calls this one.
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let _ = execute!(io::stdout(), Show);
            hook(info);
        }));
        let terminal = ratatui::try_init().inspect_err(|_| {
            // Part of it may have been done.
            let _ = ratatui::try_restore();
        })?;
        let screen = FullScreen { terminal };
        // Enables resize events before the first drawing: otherwise a window resized in between would keep the old drawing
        // until a key is pressed.
        event::poll(Duration::ZERO)?;
        Ok(screen)
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        if thread::panicking() {
            // The panic hooks have already restored the terminal and printed the reason.
            return;
        }
        // Best effort.
        let _ = self.terminal.show_cursor();
        let _ = ratatui::try_restore();
    }
}
