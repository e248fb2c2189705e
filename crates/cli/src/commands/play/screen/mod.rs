//! The table that fills a terminal.
//!
//! Everything that happens comes through one channel: keys, what agents tell, Ctrl-C. [`state`] is the game and what is
//! shown beside it, and knows neither terminal nor thread; [`keys`] says what a key does to it and [`hand`] what the
//! cursor does, [`overlay`] which field lies under the pieces. [`draw`] puts it on the screen, with the [`panel`] beside
//! the board. Agents think on threads of their own ([`thinker`]), so that the screen never waits for one.

mod captured;
mod draw;
mod hand;
mod keys;
mod overlay;
mod panel;
mod state;
#[cfg(test)]
mod tests;
mod thinker;

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Instant;

use anyhow::bail;
use ratatui::crossterm::event::{self, Event, KeyEvent, KeyEventKind};
use shakmaty::ByColor;
use tabia_core::ChessGame;

use super::keeping::Keeping;
use super::manners;
use super::seat::{Ending, Seat};
use crate::interrupt;
use crate::tui::colors::Colors;
use crate::tui::whole::Whole;
use keys::Deed;
use state::{Purpose, Screen};
use thinker::{Thinker, Told};

/// Something that happened.
pub enum Heard {
    /// A key was pressed.
    Key(KeyEvent),
    /// The terminal has another size.
    Resized,
    /// An agent said something about what it was asked.
    Told {
        /// Which question.
        number: u64,
        /// What it said.
        told: Told,
    },
    /// An agent's thread is gone.
    Lost,
    /// Ctrl-C from outside, or the terminal closed.
    Interrupt,
    /// No key will follow.
    EndOfInput,
}

/// Plays until the person leaves. The game comes back however that happens.
pub fn run(
    game: ChessGame,
    seats: ByColor<Seat>,
    keeping: &mut Keeping,
) -> anyhow::Result<(ChessGame, anyhow::Result<Ending>)> {
    let (tell, heard) = mpsc::channel();
    let interrupted = tell.clone();
    interrupt::watch(move || {
        // Nobody listens any more: the game has just been left.
        let _ = interrupted.send(Heard::Interrupt);
    })?;
    let names = seats.as_ref().map(|seat| (!seat.is_human()).then(|| seat.to_string()));
    let mut screen = Screen::new(game, names, Colors::of_terminal());
    let thinkers = ByColor { white: thinker(seats.white, &tell)?, black: thinker(seats.black, &tell)? };
    let whole = Whole::open()?;
    listen(tell.clone())?;
    let mut sitting = Sitting { screen: &mut screen, thinkers, adviser: None, keeping, tell, heard };
    let ending = sitting.sit(whole);
    sitting.screen.interrupt();
    // Whoever still thinks has been told to stop, and is waited for.
    drop(sitting);
    Ok((screen.into_game(), ending))
}

fn thinker(seat: Seat, tell: &Sender<Heard>) -> anyhow::Result<Option<Thinker>> {
    match seat {
        Seat::Human => Ok(None),
        Seat::Agent { agent, limits, .. } => Ok(Some(Thinker::start(agent, limits, tell.clone())?)),
    }
}

/// Passes on what the terminal says, until nobody listens.
fn listen(tell: Sender<Heard>) -> anyhow::Result<()> {
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        loop {
            let heard = match event::read() {
                Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => Heard::Key(key),
                Ok(Event::Resize(..)) => Heard::Resized,
                Ok(_) => continue,
                Err(_) => Heard::EndOfInput,
            };
            let last = matches!(heard, Heard::EndOfInput);
            if tell.send(heard).is_err() || last {
                return;
            }
        }
    })?;
    Ok(())
}

/// The screen with everything that it needs from outside.
struct Sitting<'a> {
    screen: &'a mut Screen,
    thinkers: ByColor<Option<Thinker>>,
    /// Who gives hints, once one was asked for.
    adviser: Option<Thinker>,
    keeping: &'a mut Keeping,
    tell: Sender<Heard>,
    heard: Receiver<Heard>,
}

impl Sitting<'_> {
    fn sit(&mut self, mut whole: Whole) -> anyhow::Result<Ending> {
        loop {
            self.run_errand()?;
            whole.terminal.draw(|frame| self.screen.draw(frame))?;
            let first = match self.screen.wait(Instant::now()) {
                Some(wait) => match self.heard.recv_timeout(wait) {
                    Err(RecvTimeoutError::Timeout) => continue,
                    heard => heard.ok(),
                },
                None => self.heard.recv().ok(),
            };
            let mut next = Some(first.unwrap_or(Heard::EndOfInput));
            // All that has come meanwhile is dealt with before the screen is drawn again.
            while let Some(heard) = next {
                if let Some(why) = self.hear(heard)? {
                    return Ok(self.screen.outcome().map_or(Ending::Left(why), Ending::Over));
                }
                next = self.heard.try_recv().ok();
            }
        }
    }

    /// Asks whoever is to be asked something.
    fn run_errand(&mut self) -> anyhow::Result<()> {
        let Some((purpose, ask)) = self.screen.errand(Instant::now()) else { return Ok(()) };
        match purpose {
            Purpose::Move(color) => {
                if let Some(thinker) = &self.thinkers[color] {
                    thinker.ask(ask);
                }
            }
            Purpose::Hint => {
                if self.adviser.is_none() {
                    let (agent, limits) = manners::adviser()?;
                    self.adviser = Some(Thinker::start(agent, limits, self.tell.clone())?);
                }
                if let Some(adviser) = &self.adviser {
                    adviser.ask(ask);
                }
            }
        }
        Ok(())
    }

    /// Does what follows from something that happened; says why the person leaves, if so.
    fn hear(&mut self, heard: Heard) -> anyhow::Result<Option<&'static str>> {
        let deed = match heard {
            Heard::Key(key) => self.screen.press(key),
            Heard::Told { number, told } => {
                self.screen.told(number, told)?;
                None
            }
            Heard::Resized => None,
            Heard::Lost => bail!("an agent broke down while it thought"),
            Heard::Interrupt => Some(Deed::Leave("Interrupted")),
            Heard::EndOfInput => Some(Deed::Leave("No more input")),
        };
        match deed {
            Some(Deed::Leave(why)) => return Ok(Some(why)),
            Some(Deed::Save) => {
                let saved = self.keeping.save(self.screen.game(), self.screen.outcome());
                self.screen.answer(saved.map(|path| format!("The game is in {}.", path.display())));
            }
            Some(Deed::New) => match self.keeping.leave(self.screen.game(), self.screen.outcome()) {
                Ok(kept) => {
                    self.keeping.begin();
                    self.screen.begin_again();
                    let kept = kept.map(|path| format!(" The last one is in {}.", path.display()));
                    self.screen.answer(Ok(format!("A new game.{}", kept.unwrap_or_default())));
                }
                // What cannot be kept is not thrown away.
                Err(fault) => self.screen.answer(Err(fault)),
            },
            None => {}
        }
        Ok(None)
    }
}
