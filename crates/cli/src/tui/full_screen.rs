//! The whole terminal, given back as it was: when the screen is left, when it fails, and when the program panics.

use std::io;
use std::panic;
use std::thread;
use std::time::Duration;

use ratatui::DefaultTerminal;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::{event, execute};

/// A terminal that is taken over until this is dropped.
pub struct FullScreen {
    /// What is drawn on.
    pub terminal: DefaultTerminal,
}

impl FullScreen {
    /// Takes the terminal over.
    pub fn open() -> io::Result<FullScreen> {
        // Ratatui's own hook leaves the screen, and calls this one then.
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let _ = execute!(io::stdout(), Show);
            hook(info);
        }));
        let terminal = ratatui::try_init().inspect_err(|_| {
            // Half of it may have been done.
            let _ = ratatui::try_restore();
        })?;
        let screen = FullScreen { terminal };
        // The first question asks to be told of a changed size from now on: later than the first drawing, a window
        // changed in between would keep the old drawing until a key is pressed.
        event::poll(Duration::ZERO)?;
        Ok(screen)
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        if thread::panicking() {
            // The hooks have done it, and said why; leaving twice would write over that.
            return;
        }
        // Nobody is left to tell when this fails.
        let _ = self.terminal.show_cursor();
        let _ = ratatui::try_restore();
    }
}
