//! What a player does, and what nature answers.
//!
//! A move names squares, not a piece: each branch moves whatever own piece stands there. So a pawn that may stand on
//! the seventh rank and a rook that may stand there too are moved by the same `e7e8`, and the pawn, where it is
//! one, becomes a queen. Only becoming a knight, a bishop or a rook is a move of its own. This is what makes moves and
//! [indices](crate::index) one and the same thing.

use std::fmt;
use std::str::FromStr;

use shakmaty::{Rank, Role, Square};
use tabia_core::chess::role_name;

/// Whether a move is made, or made and not made at once.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Made wherever it can be.
    Classical,
    /// Made in one half of every branch, and not in the other.
    Split,
}

/// A player's move.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    kind: Kind,
    from: Square,
    to: Square,
    /// Knight, bishop or rook; none is a queen where a pawn arrives.
    underpromotion: Option<Role>,
}

/// A move, or what a measurement showed.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// A player's choice.
    Move(Move),
    /// Nature's answer: whether the capture happened (rule 9).
    Capture(bool),
    /// Nature's answer: whether the captured piece was the king (rule 10).
    King(bool),
}

/// Why squares, or a text, are not a move on any board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// Not written like a move.
    #[error("\"{0}\" is not a move; write b1c3, b1~c3 to split, or e7e8q to promote")]
    Unreadable(String),
    /// No piece goes like this.
    #[error("nothing moves from {from} to {to}: moves are straight, diagonal, or a knight's")]
    NoWay {
        /// Where from.
        from: Square,
        /// Where to.
        to: Square,
    },
    /// Not where, or what, pawns become something.
    #[error("nothing becomes a {role} by going from {from} to {to}")]
    NoPromotion {
        /// What it should become.
        role: &'static str,
        /// Where from.
        from: Square,
        /// Where to.
        to: Square,
    },
}

impl Move {
    /// A move that some piece could make on some board. A queen as promotion is the same as none.
    ///
    /// ```
    /// use shakmaty::Square;
    /// use tabia_quantum::{Kind, Move};
    ///
    /// let split = Move::new(Kind::Split, Square::B1, Square::C3, None)?;
    /// assert_eq!(split.to_string(), "b1~c3");
    /// # Ok::<(), tabia_quantum::MoveError>(())
    /// ```
    pub fn new(kind: Kind, from: Square, to: Square, promotion: Option<Role>) -> Result<Move, MoveError> {
        if !is_line(from, to) && !is_leap(from, to) {
            return Err(MoveError::NoWay { from, to });
        }
        if let Some(role) = promotion
            && (!is_promotion(from, to) || matches!(role, Role::Pawn | Role::King))
        {
            return Err(MoveError::NoPromotion { role: role_name(role), from, to });
        }
        let underpromotion = promotion.filter(|role| *role != Role::Queen);
        Ok(Move { kind, from, to, underpromotion })
    }

    /// A move that is known to be one.
    pub(crate) const fn known(kind: Kind, from: Square, to: Square, underpromotion: Option<Role>) -> Move {
        Move { kind, from, to, underpromotion }
    }

    /// Whether it splits.
    pub const fn kind(self) -> Kind {
        self.kind
    }

    /// Whether it splits.
    pub const fn is_split(self) -> bool {
        matches!(self.kind, Kind::Split)
    }

    /// Where it starts.
    pub const fn from(self) -> Square {
        self.from
    }

    /// Where it ends.
    pub const fn to(self) -> Square {
        self.to
    }

    /// Knight, bishop or rook, if it is about becoming one.
    pub const fn underpromotion(self) -> Option<Role> {
        self.underpromotion
    }

    /// What a pawn becomes that arrives on the last rank.
    pub const fn promotion(self) -> Role {
        match self.underpromotion {
            Some(role) => role,
            None => Role::Queen,
        }
    }

    /// The same squares, made or split.
    #[must_use]
    pub const fn of_kind(self, kind: Kind) -> Move {
        Move { kind, ..self }
    }

    /// The move on a board whose files are swapped.
    #[must_use]
    pub const fn mirrored(self) -> Move {
        Move { from: self.from.flip_horizontal(), to: self.to.flip_horizontal(), ..self }
    }

    /// Whether a pawn that makes it becomes something.
    pub(crate) fn may_promote(self) -> bool {
        is_promotion(self.from, self.to)
    }

    /// As it is written, with `q` where a pawn may become a queen by it.
    pub(crate) fn spelled(self, queening: bool) -> String {
        if queening { format!("{self}q") } else { self.to_string() }
    }
}

/// The steps in files and ranks, towards h and towards 8.
pub(crate) fn steps(from: Square, to: Square) -> (i32, i32) {
    let along = |from: u32, to: u32| to as i32 - from as i32;
    (along(from.file().to_u32(), to.file().to_u32()), along(from.rank().to_u32(), to.rank().to_u32()))
}

fn is_line(from: Square, to: Square) -> bool {
    let (files, ranks) = steps(from, to);
    from != to && (files == 0 || ranks == 0 || files.abs() == ranks.abs())
}

fn is_leap(from: Square, to: Square) -> bool {
    let (files, ranks) = steps(from, to);
    files.abs() * ranks.abs() == 2
}

/// Whether a pawn could go like this and become something.
fn is_promotion(from: Square, to: Square) -> bool {
    steps(from, to).0.abs() <= 1
        && matches!((from.rank(), to.rank()), (Rank::Seventh, Rank::Eighth) | (Rank::Second, Rank::First))
}

impl FromStr for Move {
    type Err = MoveError;

    /// `b1c3`, `b1~c3`, `e7e8q`, `e7~e8n`, in either case.
    fn from_str(text: &str) -> Result<Move, MoveError> {
        let unreadable = || MoveError::Unreadable(text.chars().take(24).collect());
        let lower = text.to_ascii_lowercase();
        let square = |part: Option<&str>| part.and_then(|part| part.parse::<Square>().ok());
        let from = square(lower.get(..2)).ok_or_else(unreadable)?;
        let (kind, rest) = match lower.get(2..) {
            Some(rest) if rest.starts_with('~') => (Kind::Split, &rest[1..]),
            Some(rest) => (Kind::Classical, rest),
            None => return Err(unreadable()),
        };
        let to = square(rest.get(..2)).ok_or_else(unreadable)?;
        let mut letters = rest[2..].chars();
        let promotion = match (letters.next(), letters.next()) {
            (None, _) => None,
            (Some(letter), None) => Some(Role::from_char(letter).ok_or_else(unreadable)?),
            _ => return Err(unreadable()),
        };
        Move::new(kind, from, to, promotion)
    }
}

/// As it is read: `b1c3`, `b1~c3`, `e7e8n`. Becoming a queen is not written here: whether it is a pawn that moves is
/// the position's to say.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.from, if self.is_split() { "~" } else { "" }, self.to)?;
        match self.underpromotion {
            Some(role) => write!(f, "{}", role.char()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A move as it is written; `+` and `-` for what a measurement showed.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Move(m) => m.fmt(f),
            Action::Capture(true) | Action::King(true) => f.write_str("+"),
            Action::Capture(false) | Action::King(false) => f.write_str("-"),
        }
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Move(m) => write!(f, "{m}"),
            Action::Capture(happened) => write!(f, "Capture({happened})"),
            Action::King(gone) => write!(f, "King({gone})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Move, MoveError> {
        text.parse()
    }

    #[test]
    fn moves_read_as_they_are_written() {
        for text in ["b1c3", "b1~c3", "e7e8n", "e7~d8r", "a2a1b", "e1g1", "a1h8"] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
        assert_eq!(read("E7E8Q"), read("e7e8"));
    }

    #[test]
    fn what_is_wrong_with_a_text_is_said() {
        for (text, expected) in [
            ("", "is not a move"),
            ("e2", "is not a move"),
            ("e2e9", "is not a move"),
            ("e2é4", "is not a move"),
            ("e2~", "is not a move"),
            ("e7e8qq", "is not a move"),
            ("e7e8x", "is not a move"),
            ("e2e2", "nothing moves from e2 to e2"),
            ("a1b4", "nothing moves from a1 to b4"),
            ("e2e4q", "nothing becomes a queen by going from e2 to e4"),
            ("e7e8k", "nothing becomes a king"),
            ("c7e8n", "nothing becomes a knight by going from c7 to e8"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
