//! Errors of games and sessions as problem documents.

use tabia_session::Refusal;

use crate::chess::error::ChessError;
use crate::problem::{Kind, Problem, RETRY};
use crate::quantum::error::QuantumError;
use crate::sessions::SessionError;
use crate::sessions::session::UpdateError;

impl<E: Into<Problem>> From<UpdateError<E>> for Problem {
    fn from(error: UpdateError<E>) -> Problem {
        match error {
            UpdateError::Play(error) => error.into(),
            UpdateError::Deleted => Problem::new(Kind::NotFound, "the game was deleted"),
            UpdateError::Store(error) => Problem::internal(error),
            UpdateError::Aborted => Problem::internal("the update was aborted"),
        }
    }
}

impl From<SessionError> for Problem {
    fn from(error: SessionError) -> Problem {
        match error {
            SessionError::NotFound(_) => Problem::new(Kind::NotFound, error.to_string()),
            SessionError::TooManyGames(_) => Problem::new(Kind::TooManyRequests, error.to_string()),
            SessionError::Full(_) | SessionError::EnginesBusy => Problem::busy(error.to_string(), RETRY),
            SessionError::Budget(refusal) => refusal.into(),
            SessionError::Store(error) => Problem::internal(error),
        }
    }
}

fn kind(refusal: &Refusal) -> Kind {
    match refusal {
        Refusal::AmbiguousSide => Kind::Unprocessable,
        _ => Kind::Conflict,
    }
}

impl From<ChessError> for Problem {
    fn from(error: ChessError) -> Problem {
        let kind = match &error {
            ChessError::Refused(refusal) => kind(refusal),
            _ => Kind::Unprocessable,
        };
        Problem::new(kind, error.to_string())
    }
}

impl From<QuantumError> for Problem {
    fn from(error: QuantumError) -> Problem {
        let kind = match &error {
            QuantumError::Refused(refusal) => kind(refusal),
            QuantumError::NoSuchPly { .. } => Kind::NotFound,
            QuantumError::ReplayMismatch { .. } => Kind::Conflict,
            _ => Kind::Unprocessable,
        };
        Problem::new(kind, error.to_string())
    }
}
