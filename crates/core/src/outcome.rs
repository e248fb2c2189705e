//! How a game ended: who won, and why.

use std::fmt;

use shakmaty::Color;

/// The end of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// `None` for a draw.
    pub winner: Option<Color>,
    pub reason: Reason,
}

/// Why a game ended: by the rules, by a player, or by the tournament.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The king is attacked and cannot be saved.
    Checkmate,
    /// No legal move, and no check.
    Stalemate,
    /// Neither side can ever mate.
    InsufficientMaterial,
    /// Fifty moves by each side without a capture or a pawn move.
    FiftyMoves,
    /// The same position for the third time.
    Repetition,
    /// A king was captured (variants in which that can happen).
    KingCaptured,
    /// The loser gave up.
    Resignation,
    /// Both agreed to a draw.
    Agreement,
    /// The loser's clock ran out.
    TimeForfeit,
    /// The loser played a move that is not legal.
    IllegalMove,
    /// The loser's program crashed, hung or violated the protocol.
    Fault,
    /// Adjudicated before the end.
    Adjudication,
    /// The game reached its length limit.
    MoveLimit,
}

impl Reason {
    /// Every reason there is.
    pub const ALL: [Reason; 13] = [
        Reason::Checkmate,
        Reason::Stalemate,
        Reason::InsufficientMaterial,
        Reason::FiftyMoves,
        Reason::Repetition,
        Reason::KingCaptured,
        Reason::Resignation,
        Reason::Agreement,
        Reason::TimeForfeit,
        Reason::IllegalMove,
        Reason::Fault,
        Reason::Adjudication,
        Reason::MoveLimit,
    ];

    /// The inverse of [`Reason::as_str`].
    pub fn named(text: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.as_str() == text)
    }

    /// As games, records and JSON write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::InsufficientMaterial => "insufficient material",
            Reason::FiftyMoves => "fifty-move rule",
            Reason::Repetition => "threefold repetition",
            Reason::KingCaptured => "king captured",
            Reason::Resignation => "resignation",
            Reason::Agreement => "agreement",
            Reason::TimeForfeit => "time forfeit",
            Reason::IllegalMove => "illegal move",
            Reason::Fault => "engine fault",
            Reason::Adjudication => "adjudication",
            Reason::MoveLimit => "move limit",
        }
    }
}

impl Outcome {
    /// `winner` won.
    pub const fn win(winner: Color, reason: Reason) -> Outcome {
        Outcome { winner: Some(winner), reason }
    }

    pub const fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason }
    }

    /// Points for `color`: 1, 0.5 or 0.
    pub fn points(self, color: Color) -> f64 {
        match self.winner {
            Some(winner) if winner == color => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        }
    }

    /// As PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
    pub const fn as_pgn(self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// `1-0 (checkmate)`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.as_pgn(), self.reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_known_by_its_words() {
        for reason in Reason::ALL {
            assert_eq!(Reason::named(reason.as_str()), Some(reason));
        }
        assert_eq!(Reason::named("boredom"), None);
    }
}
