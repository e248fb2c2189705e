//! A position of a game with everything that watchers are shown.

use std::time::Duration;

use shakmaty::{ByColor, Color, Position, Role};
use tabia_core::{ChessGame, Outcome};
use tabia_session::{Awaits, GameClock};

/// The state of a clock.
#[derive(Clone, Debug)]
pub struct ClockReading {
    pub left: ByColor<Duration>,
    pub increment: Duration,
    /// The side whose clock was running.
    pub running: Option<Color>,
}

impl ClockReading {
    /// The current state of a clock.
    pub fn now(clock: &GameClock) -> ClockReading {
        let now = std::time::Instant::now();
        ClockReading {
            left: ByColor { white: clock.left(Color::White, now), black: clock.left(Color::Black, now) },
            increment: clock.setting().increment,
            running: clock.running(),
        }
    }
}

/// A position of a game.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The position, without the moves that led to it.
    pub board: ChessGame,
    pub ply: usize,
    /// The last move, as UCI writes it.
    pub last_move: Option<String>,
    pub awaits: Awaits,
    pub outcome: Option<Outcome>,
    pub draw_offer: Option<Color>,
    pub clock: Option<ClockReading>,
    /// What each side has captured, in order.
    pub captured: ByColor<Vec<Role>>,
}

/// What each side has captured, in the order of the captures.
pub fn captures(game: &ChessGame) -> ByColor<Vec<Role>> {
    let mut captured = ByColor { white: Vec::new(), black: Vec::new() };
    let mut mover = game.start().turn();
    for m in game.moves() {
        captured[mover].extend(m.capture());
        mover = mover.other();
    }
    captured
}
