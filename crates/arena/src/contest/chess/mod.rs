//! Chess at the contest's tables: how long players think, when a game ends early, and one game from start to end.
//!
//! [`referee`] plays one game between two players. [`seating`] is the [`Table`](super::Table) that seats agents and
//! engines for it. [`settings`] says everything that decides what is played, and [`event`] is a whole match: settings,
//! table, run directory and what is written at the end.

pub mod adjudication;
mod check;
pub mod clock;
pub mod event;
pub mod live;
pub mod openings;
pub mod pace;
pub mod referee;
pub mod result;
pub mod seating;
pub mod settings;
pub mod visitor;

pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use event::{Event, Hands, Origin};
pub use openings::Order;
pub use pace::{Pace, TimeControl};
pub use referee::Rules;
pub use result::{Contestant, MatchResult};
pub use seating::Seating;
pub use settings::{Entrant, OpeningSettings, Settings, SprtSettings};
pub use visitor::Visitor;
