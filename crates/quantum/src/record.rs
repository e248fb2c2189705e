//! Games as text: a move, and what was measured, so that every game replays exactly.
//!
//! A ply is its move, followed by a sign for each measurement in the order they were made: `+` yes, `-` no.
//!
//! ```text
//! b1~c3     a split; nothing is measured
//! d1d5+     the capture happened
//! d1d5-     it did not
//! h5h8++    it did, and it was the king
//! h5h8+-    it did, and it was not the king
//! ```
//!
//! Whether something is measured at all follows from the state, and a text that says otherwise is refused.

use tabia_core::seed::Random;
use tabia_core::{Game, Turn};

use crate::action::{Action, Move, MoveError};
use crate::game::{Measurement, QuantumGame};

/// Why a ply cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The text is no move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A move, and not a legal one.
    #[error("{text} is not legal: {why}")]
    Illegal {
        /// The move.
        text: String,
        /// Why not.
        why: String,
    },
    /// It measures, and the text does not say what came of it.
    #[error("{text} measures whether {question}: write {text}+ if so, {text}- if not")]
    Unmeasured {
        /// The ply as far as it goes.
        text: String,
        /// What is measured.
        question: String,
    },
    /// The text tells of a measurement that is not made.
    #[error("\"{text}\" tells of a measurement, but nothing is measured after {played}")]
    NotMeasured {
        /// The whole text.
        text: String,
        /// The ply as it is.
        played: String,
    },
    /// Nobody is to move: something is being measured.
    #[error("something is being measured: nobody can move before it is known")]
    Measuring,
}

impl QuantumGame {
    /// Reads a move for the side to move, and checks that it is legal.
    ///
    /// ```
    /// use tabia_quantum::QuantumGame;
    ///
    /// let game = QuantumGame::default();
    /// assert!(game.read_move("e2e4").is_ok());
    /// assert!(game.read_move("e2e5").is_err());
    /// ```
    pub fn read_move(&self, text: &str) -> Result<Move, PlayError> {
        let m: Move = text.parse()?;
        match self.why_illegal(m) {
            None => Ok(m),
            Some(why) => Err(PlayError::Illegal { text: m.to_string(), why }),
        }
    }

    /// A move as it is written in this state: with `q` where a pawn may become a queen by it.
    pub fn write_move(&self, m: Move) -> String {
        let pawn = || self.branches().iter().any(|branch| branch.board().pawns().contains(m.from()));
        m.spelled(m.underpromotion().is_none() && m.may_promote() && pawn())
    }

    /// Plays a ply with its measurements as they are written, or nothing at all.
    pub fn play_text(&mut self, text: &str) -> Result<(), PlayError> {
        let text = text.trim();
        let signs = text.trim_start_matches(|c| c != '+' && c != '-');
        let m = self.read_move(text[..text.len() - signs.len()].trim_end())?;
        let mut played = self.write_move(m);
        let mut next = self.clone();
        next.apply(Action::Move(m));
        let mut signs = signs.chars();
        while let Some(measurement) = next.measurement() {
            let yes = match signs.next() {
                Some('+') => true,
                Some('-') => false,
                Some(_) => return Err(MoveError::Unreadable(text.chars().take(24).collect()).into()),
                None => {
                    let question = next.question().unwrap_or_default();
                    return Err(PlayError::Unmeasured { text: played, question });
                }
            };
            next.apply(measurement.answer(yes));
            played.push(if yes { '+' } else { '-' });
        }
        if signs.next().is_some() {
            return Err(PlayError::NotMeasured { text: text.to_owned(), played });
        }
        *self = next;
        Ok(())
    }

    /// Plays a legal move, draws what has to be measured, and gives the ply as text, with each measurement and its answer.
    pub fn play(&mut self, m: Move, random: &mut Random) -> Result<PlayedPly, PlayError> {
        if self.turn() == Turn::Chance {
            return Err(PlayError::Measuring);
        }
        if let Some(why) = self.why_illegal(m) {
            return Err(PlayError::Illegal { text: m.to_string(), why });
        }
        let mut played = PlayedPly { text: self.write_move(m), told: Vec::new(), measured: Vec::new() };
        self.apply(Action::Move(m));
        while let (Some(measurement), Some(answer)) = (self.measurement(), self.measure(random)) {
            let yes = answer == measurement.answer(true);
            played.told.extend(self.tell(answer));
            played.measured.push((measurement, yes));
            played.text.push(if yes { '+' } else { '-' });
            self.apply(answer);
        }
        Ok(played)
    }
}

/// A ply that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedPly {
    /// As a record keeps it.
    pub text: String,
    /// What the measurements showed, in words.
    pub told: Vec<String>,
    /// What was measured, and whether the answer was yes.
    pub measured: Vec<(Measurement, bool)>,
}
