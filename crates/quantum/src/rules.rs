//! Versions of the rules, so that records of older games still replay.
//!
//! | version | rule 12: what resets the no-progress counter |
//! | --- | --- |
//! | 1 | a measured capture, or any pawn move, split or classical |
//! | 2 | a measured capture, or a classical pawn move |
//!
//! Under version 1 repeated splits of one pawn were some sixty free passes each, and games dragged on to the ply limit. Saved
//! games name their version; those saved before there was a second one do not, and are of version 1.

/// A version of the rules.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Rules {
    /// Any pawn move is progress. Only for records of older games.
    V1,
    /// Only a classical pawn move is progress.
    #[default]
    V2,
}

impl Rules {
    /// The version of a saved game that does not name one.
    pub const UNNAMED: Rules = Rules::V1;

    /// The version of a number, as records have it.
    ///
    /// ```
    /// use tabia_quantum::Rules;
    ///
    /// assert_eq!(Rules::from_number(Rules::default().number()), Some(Rules::V2));
    /// assert_eq!(Rules::from_number(3), None);
    /// ```
    pub const fn from_number(number: u8) -> Option<Rules> {
        match number {
            1 => Some(Rules::V1),
            2 => Some(Rules::V2),
            _ => None,
        }
    }

    /// Its number, as records have it.
    pub const fn number(self) -> u8 {
        match self {
            Rules::V1 => 1,
            Rules::V2 => 2,
        }
    }

    pub(crate) const fn split_pawn_move_is_progress(self) -> bool {
        matches!(self, Rules::V1)
    }
}
