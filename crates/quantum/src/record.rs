//! Games as text: moves with their measurement results, so that every game replays exactly.
//!
//! A ply is a move, followed by a sign for each measurement in order: `+` yes, `-` no.
//!
//! ```text
//! b1~c3     a split; nothing is measured
//! d1d5+     the capture happened
//! d1d5-     it did not
//! h5h8++    it did, and it was the king
//! h5h8+-    it did, and it was not the king
//! ```
//!
//! Whether there is a measurement follows from the state; a text that contradicts it is rejected.

use tabia_core::seed::Random;
use tabia_core::{Game, Turn};

use crate::action::{Action, Move, MoveError};
use crate::game::{Measurement, QuantumGame};

/// Why a ply cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error("{text} is not legal: {why}")]
    Illegal { text: String, why: String },
    #[error("{text} measures whether {question}: write {text}+ if so, {text}- if not")]
    Unmeasured { text: String, question: String },
    #[error("\"{text}\" has a measurement result, but nothing is measured after {played}")]
    NotMeasured { text: String, played: String },
    #[error("a measurement is pending: no move is possible before its result is known")]
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

    /// A move as text in this state: with `q` where a pawn may promote to a queen.
    pub fn write_move(&self, m: Move) -> String {
        let pawn = || self.branches().iter().any(|branch| branch.board().pawns().contains(m.from()));
        m.spelled(m.underpromotion().is_none() && m.may_promote() && pawn())
    }

    /// Plays a ply with its measurement results, or changes nothing.
    pub fn play_text(&mut self, text: &str) -> Result<(), PlayError> {
        for action in self.read_ply(text)? {
            self.apply(action);
        }
        Ok(())
    }

    /// Reads a ply: its move, and the answers to what it measures.
    ///
    /// ```
    /// use tabia_quantum::{Action, QuantumGame};
    ///
    /// let game: QuantumGame = "w 1 2: 1*7k/8/5n2/8/8/8/8/3Q3K - - + 1*7k/8/8/3n4/8/8/8/3Q3K - -".parse()?;
    /// let queen = Action::Move(game.read_move("d1d5")?);
    /// assert_eq!(game.read_ply("d1d5-")?, [queen, Action::Capture(false)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_ply(&self, text: &str) -> Result<Vec<Action>, PlayError> {
        let text = text.trim();
        let signs = text.trim_start_matches(|c| c != '+' && c != '-');
        let m = self.read_move(text[..text.len() - signs.len()].trim_end())?;
        let mut played = self.write_move(m);
        let mut actions = vec![Action::Move(m)];
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
            actions.push(measurement.answer(yes));
            next.apply(measurement.answer(yes));
            played.push(if yes { '+' } else { '-' });
        }
        if signs.next().is_some() {
            return Err(PlayError::NotMeasured { text: text.to_owned(), played });
        }
        Ok(actions)
    }

    /// Plays a legal move and samples its measurements; returns the ply as text with each measurement and result.
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedPly {
    /// As in a record.
    pub text: String,
    /// The measurement results as sentences.
    pub told: Vec<String>,
    /// The measurements with their results.
    pub measured: Vec<(Measurement, bool)>,
}

impl PlayedPly {
    /// The actions of the ply, whose move was `m`.
    pub fn actions(&self, m: Move) -> Vec<Action> {
        let answers = self.measured.iter().map(|(measurement, yes)| measurement.answer(*yes));
        std::iter::once(Action::Move(m)).chain(answers).collect()
    }
}
