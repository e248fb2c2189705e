//! A game between people and agents, the same in the terminal and on the page, for chess and quantum chess.
//!
//! [`Session`] is the game and what its players may do besides moving: offer a draw and answer an offer, resign, take back,
//! lose on time, fail. [`SessionGame`] is what it needs to know of a game; [`ChessGame`](tabia_core::ChessGame) and
//! [`QuantumGame`](tabia_quantum::QuantumGame) implement it. What is not allowed is a [`Refusal`].
//! [`typed_move`] reads moves as people type them, and says what is wrong with others.
//!
//! It does no I/O, starts no thread and reads no clock: moments are given by the caller. How a game is shown, saved and told
//! to others is the front end's.
//!
//! ```
//! use std::time::Instant;
//!
//! use shakmaty::{ByColor, Color};
//! use tabia_core::{ChessGame, Outcome, Reason};
//! use tabia_session::{Awaits, Session};
//!
//! let people = ByColor { white: true, black: false };
//! let mut session = Session::new(ChessGame::default(), people, Instant::now());
//! let e4 = session.game().read_move("e4")?;
//! session.play(&[e4], None, Instant::now());
//! assert_eq!(session.awaits(), Awaits::Agent);
//! session.resign(None, Instant::now())?;
//! assert_eq!(session.outcome(), Some(Outcome::win(Color::Black, Reason::Resignation)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod clock;
pub mod game;
pub mod refusal;
pub mod session;
pub mod typed_move;

pub use clock::{ClockSetting, GameClock};
pub use game::SessionGame;
pub use refusal::Refusal;
pub use session::{Awaits, DrawAnswer, PlayedPly, Session};
