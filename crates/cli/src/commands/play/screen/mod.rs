//! The full-screen interface.
//!
//! All events come through one channel: keys, agent reports, Ctrl-C. [`state`] is the game and what is shown with it,
//! independent of terminal and threads; [`keys`] handles keys, [`prompt`] is what they may ask, [`selection`] the cursor, [`overlay`] the field under
//! the pieces. [`draw`] draws the screen, with the [`panel`] next to the board. Agents search on threads of their own
//! ([`mod@agent_thread`]), so that the screen never blocks.

mod agent_thread;
mod captured;
mod draw;
mod keys;
mod overlay;
mod panel;
mod prompt;
mod selection;
mod state;
#[cfg(test)]
mod tests;

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Instant;

use anyhow::bail;
use crossterm::event::{self, Event as TerminalEvent, KeyEvent, KeyEventKind};
use shakmaty::ByColor;
use tabia_core::ChessGame;
use tabia_session::Session;

use super::hint;
use super::player::{Ending, Player};
use super::replay_files::ReplayFiles;
use crate::interrupt;
use crate::tui::colors::Colors;
use crate::tui::full_screen::FullScreen;
use agent_thread::{AgentReport, AgentThread};
use keys::Effect;
use state::{Purpose, Screen};

/// An event.
pub enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// The terminal was resized.
    Resized,
    /// An agent reported something.
    AgentReport {
        /// Number of the request.
        number: u64,
        told: AgentReport,
    },
    /// An agent's thread has ended.
    Lost,
    /// A signal, or the terminal was closed.
    Interrupt,
    /// End of input.
    EndOfInput,
}

/// Plays until the person quits. Returns the game in every case.
pub fn run(
    game: ChessGame,
    players: ByColor<Player<ChessGame>>,
    replay_files: &mut ReplayFiles,
) -> anyhow::Result<(Session<ChessGame>, anyhow::Result<Ending>)> {
    let (tell, heard) = mpsc::channel();
    let interrupted = tell.clone();
    interrupt::watch(move || {
        // The receiver is gone: the person has just quit.
        let _ = interrupted.send(Event::Interrupt);
    })?;
    let names = players.as_ref().map(|player| (!player.is_human()).then(|| player.to_string()));
    let mut screen = Screen::new(game, names, Colors::of_terminal());
    let agents =
        ByColor { white: agent_thread(players.white, &tell)?, black: agent_thread(players.black, &tell)? };
    let terminal = FullScreen::open()?;
    listen(tell.clone())?;
    let mut app = App { screen: &mut screen, agents, hint_agent: None, replay_files, tell, heard };
    let ending = app.run(terminal);
    app.screen.interrupt();
    // Running searches have been told to stop; dropping the threads waits for them.
    drop(app);
    Ok((screen.into_session(), ending))
}

fn agent_thread(player: Player<ChessGame>, tell: &Sender<Event>) -> anyhow::Result<Option<AgentThread>> {
    match player {
        Player::Human => Ok(None),
        Player::Agent { agent, limits, .. } => Ok(Some(AgentThread::start(agent, limits, tell.clone())?)),
    }
}

/// Forwards terminal events until the receiver is gone.
fn listen(tell: Sender<Event>) -> anyhow::Result<()> {
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        loop {
            let heard = match event::read() {
                Ok(TerminalEvent::Key(key)) if key.kind != KeyEventKind::Release => Event::Key(key),
                Ok(TerminalEvent::Resize(..)) => Event::Resized,
                Ok(_) => continue,
                Err(_) => Event::EndOfInput,
            };
            let last = matches!(heard, Event::EndOfInput);
            if tell.send(heard).is_err() || last {
                return;
            }
        }
    })?;
    Ok(())
}

/// The screen with its external resources.
struct App<'a> {
    screen: &'a mut Screen,
    agents: ByColor<Option<AgentThread>>,
    /// The agent for hints, started on first use.
    hint_agent: Option<AgentThread>,
    replay_files: &'a mut ReplayFiles,
    tell: Sender<Event>,
    heard: Receiver<Event>,
}

impl App<'_> {
    fn run(&mut self, mut terminal: FullScreen) -> anyhow::Result<Ending> {
        loop {
            self.send_request()?;
            terminal.terminal.draw(|frame| self.screen.draw(frame))?;
            let first = match self.screen.wait(Instant::now()) {
                Some(wait) => match self.heard.recv_timeout(wait) {
                    Err(RecvTimeoutError::Timeout) => continue,
                    heard => heard.ok(),
                },
                None => self.heard.recv().ok(),
            };
            let mut next = Some(first.unwrap_or(Event::EndOfInput));
            // Handle all pending events before drawing again.
            while let Some(heard) = next {
                if let Some(why) = self.handle(heard)? {
                    return Ok(self.screen.outcome().map_or(Ending::Left(why), Ending::Over));
                }
                next = self.heard.try_recv().ok();
            }
        }
    }

    /// Sends a pending request to its agent.
    fn send_request(&mut self) -> anyhow::Result<()> {
        let Some((purpose, request)) = self.screen.next_request(Instant::now()) else { return Ok(()) };
        match purpose {
            Purpose::Move(color) => {
                if let Some(agent_thread) = &self.agents[color] {
                    agent_thread.ask(request);
                }
            }
            Purpose::Hint => {
                if self.hint_agent.is_none() {
                    let (agent, limits) = hint::hint_agent()?;
                    self.hint_agent = Some(AgentThread::start(agent, limits, self.tell.clone())?);
                }
                if let Some(hint_agent) = &self.hint_agent {
                    hint_agent.ask(request);
                }
            }
        }
        Ok(())
    }

    /// Performs an effect; returns why the person quits, if so.
    fn handle(&mut self, heard: Event) -> anyhow::Result<Option<&'static str>> {
        let effect = match heard {
            Event::Key(key) => self.screen.press(key),
            Event::AgentReport { number, told } => {
                self.screen.agent_reported(number, told)?;
                None
            }
            Event::Resized => None,
            Event::Lost => bail!("an agent broke down while it thought"),
            Event::Interrupt => Some(Effect::Leave("Interrupted")),
            Event::EndOfInput => Some(Effect::Leave("No more input")),
        };
        match effect {
            Some(Effect::Leave(why)) => return Ok(Some(why)),
            Some(Effect::Save) => {
                let saved = self.replay_files.save(self.screen.game(), self.screen.outcome());
                self.screen.answer(saved.map(|path| format!("The game is in {}.", path.display())));
            }
            Some(Effect::New) => match self.replay_files.leave(self.screen.game(), self.screen.outcome()) {
                Ok(kept) => {
                    self.replay_files.begin();
                    self.screen.begin_again();
                    let kept = kept.map(|path| format!(" The last one is in {}.", path.display()));
                    self.screen.answer(Ok(format!("A new game.{}", kept.unwrap_or_default())));
                }
                // If the game cannot be saved, it is not discarded.
                Err(fault) => self.screen.answer(Err(fault)),
            },
            None => {}
        }
        Ok(None)
    }
}
