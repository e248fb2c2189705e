//! The result of a game as JSON and as a sentence.

use serde::{Deserialize, Serialize};
use tabia_core::{Outcome, Reason};
use utoipa::ToSchema;

use crate::sessions::side::Side;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OutcomeDocument {
    /// As PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
    #[schema(example = "1-0")]
    pub result: String,
    /// The winner; `null` for a draw.
    pub winner: Option<Side>,
    /// The reason.
    #[schema(example = "checkmate")]
    pub reason: String,
    /// The result as a sentence.
    #[schema(example = "White wins by checkmate")]
    pub words: String,
}

impl From<Outcome> for OutcomeDocument {
    fn from(outcome: Outcome) -> OutcomeDocument {
        OutcomeDocument {
            result: outcome.as_pgn().to_owned(),
            winner: outcome.winner.map(Side::from),
            reason: outcome.reason.to_string(),
            words: words(outcome),
        }
    }
}

impl OutcomeDocument {
    /// Parses a saved outcome, if its reason is known.
    pub fn read(&self) -> Option<Outcome> {
        let reason = Reason::named(&self.reason)?;
        Some(Outcome { winner: self.winner.map(Into::into), reason })
    }
}

/// `Black wins by resignation`, `Draw by stalemate`.
fn words(outcome: Outcome) -> String {
    let Some(winner) = outcome.winner else {
        return match outcome.reason {
            Reason::TimeForfeit => "Draw: the time ran out, and the other side cannot mate".to_owned(),
            reason => format!("Draw by {reason}"),
        };
    };
    let (winner, loser) = (Side::from(winner).name(), Side::from(winner.other()).name());
    match outcome.reason {
        Reason::Resignation => format!("{winner} wins: {loser} resigned"),
        Reason::TimeForfeit => format!("{winner} wins on time"),
        Reason::Fault => format!("{winner} wins: {loser}'s engine failed"),
        Reason::IllegalMove => format!("{winner} wins: {loser} made an illegal move"),
        reason => format!("{winner} wins by {reason}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Color;

    #[test]
    fn outcomes_come_back_from_json() {
        for reason in Reason::ALL {
            for winner in [None, Some(Color::White), Some(Color::Black)] {
                let outcome = Outcome { winner, reason };
                assert_eq!(OutcomeDocument::from(outcome).read(), Some(outcome));
            }
        }
    }
}
