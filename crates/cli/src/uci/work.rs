//! What is under way while commands keep coming.

use shakmaty::CastlingMode;
use tabia_core::Stop;
use tabia_uci::BestMove;

/// What is under way.
pub enum Work {
    /// Nothing.
    Idle,
    /// A search.
    Search(Running),
    /// Something long that is not a search.
    Job,
}

/// A search under way.
pub struct Running {
    /// Ends it.
    pub stop: Stop,
    /// The answer is held back until `stop`.
    pub infinite: bool,
    /// How castling is written in the answer.
    pub mode: CastlingMode,
    /// The answer, when the search ended before it may be given.
    pub answer: Option<BestMove>,
    /// It ends by itself.
    pub bounded: bool,
}

impl Running {
    /// Whether the answer may be given now.
    pub fn may_answer(&self) -> bool {
        self.stop.is_stopped() || !(self.infinite || self.stop.is_pondering())
    }
}
