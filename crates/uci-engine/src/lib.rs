//! The engine behind the Universal Chess Interface, without a process around it.
//!
//! A [`UciSession`] takes lines through its [`Input`] and gives lines to its [`Output`]; where they come from and go to is the
//! caller's. One thread thinks and the caller's decides; they talk through one channel, so that every command is
//! answered at once whatever is being thought. What `position` and `setoption` change is kept here and handed over with the
//! next `go`: a running search is never reached into, only stopped. In which order commands are obeyed is decided by
//! [`tabia_uci::session::Session`].
//!
//! ```
//! use std::sync::{Arc, Mutex};
//!
//! use tabia_core::{AgentSpec, Catalogue};
//! use tabia_search::agents::{self, AgentFiles};
//! use tabia_uci_engine::{Output, Setup, UciSession};
//!
//! let files = || AgentFiles::new(|_| Err(std::io::ErrorKind::NotFound.into()));
//! let mut catalogue = Catalogue::default();
//! catalogue.add(agents::entries_with(files()));
//! let lines = Arc::new(Mutex::new(Vec::new()));
//! let output = Output::new({
//!     let lines = lines.clone();
//!     move |line| lines.lock().unwrap().push(line.to_owned())
//! });
//! let (spec, files) = (AgentSpec::named("engine"), files());
//! let setup = Setup { spec: &spec, catalogue: &catalogue, files: &files, tune: false, seed: || 1, available_memory: || u64::MAX };
//! let session = UciSession::new(&setup, output)?;
//! let input = session.input();
//! input.line("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
//! input.line("go depth 4");
//! input.end();
//! session.run();
//! assert!(lines.lock().unwrap().last().is_some_and(|line| line.starts_with("bestmove a1a8")));
//! # Ok::<(), tabia_uci_engine::UciEngineError>(())
//! ```

mod board;
pub mod engine;
pub mod error;
mod extras;
pub mod options;
pub mod output;
pub mod session;
mod thinking;

pub use engine::Setup;
pub use error::UciEngineError;
pub use output::Output;
pub use session::{Ended, Input, UciSession};
