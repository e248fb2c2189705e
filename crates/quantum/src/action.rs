//! Players' moves and measurement results.
//!
//! A move names squares, not a piece: each branch moves whatever own piece is there. So a pawn and a rook that may both
//! be on the seventh rank are moved by the same `e7e8`, and the pawn, where it is one, promotes to a queen. Only
//! underpromotions are moves of their own. That makes moves and [indices](crate::index) correspond one to one.

use std::fmt;
use std::str::FromStr;

use shakmaty::{Rank, Role, Square};
use tabia_core::chess::role_name;

/// Classical or split.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Made in every branch where it is possible.
    Classical,
    /// Each branch becomes two: with the move and without it.
    Split,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    kind: Kind,
    from: Square,
    to: Square,
    /// Knight, bishop or rook; `None` promotes a pawn to a queen.
    underpromotion: Option<Role>,
}

/// A move, or the result of a measurement.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    Move(Move),
    /// Chance: whether the capture happened (rule 9).
    Capture(bool),
    /// Chance: whether the captured piece was the king (rule 10).
    King(bool),
}

/// Why squares or a text are not a move on any board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    #[error("\"{0}\" is not a move; write b1c3, b1~c3 to split, or e7e8q to promote")]
    Unreadable(String),
    #[error("nothing moves from {from} to {to}: moves are straight, diagonal, or a knight's")]
    NoWay { from: Square, to: Square },
    #[error("no pawn promotes to a {role} from {from} to {to}")]
    NoPromotion { role: &'static str, from: Square, to: Square },
}

impl Move {
    /// A move that some piece could make on some board. A promotion to a queen is the same as none.
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

    /// A move that is known to be valid.
    pub(crate) const fn known(kind: Kind, from: Square, to: Square, underpromotion: Option<Role>) -> Move {
        Move { kind, from, to, underpromotion }
    }

    pub const fn kind(self) -> Kind {
        self.kind
    }

    pub const fn is_split(self) -> bool {
        matches!(self.kind, Kind::Split)
    }

    pub const fn from(self) -> Square {
        self.from
    }

    pub const fn to(self) -> Square {
        self.to
    }

    /// Knight, bishop or rook, for an underpromotion.
    pub const fn underpromotion(self) -> Option<Role> {
        self.underpromotion
    }

    /// The piece that a pawn promotes to on the last rank.
    pub const fn promotion(self) -> Role {
        match self.underpromotion {
            Some(role) => role,
            None => Role::Queen,
        }
    }

    /// The same squares as a classical move or a split.
    #[must_use]
    pub const fn of_kind(self, kind: Kind) -> Move {
        Move { kind, ..self }
    }

    /// The move with files mirrored.
    #[must_use]
    pub const fn mirrored(self) -> Move {
        Move { from: self.from.flip_horizontal(), to: self.to.flip_horizontal(), ..self }
    }

    /// Whether a pawn that makes it promotes.
    pub(crate) fn may_promote(self) -> bool {
        is_promotion(self.from, self.to)
    }

    /// As text, with `q` where a pawn may promote to a queen.
    pub(crate) fn spelled(self, queening: bool) -> String {
        if queening { format!("{self}q") } else { self.to_string() }
    }
}

/// Difference in files and ranks, towards h and towards 8.
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

/// Whether a pawn could promote with these squares.
fn is_promotion(from: Square, to: Square) -> bool {
    steps(from, to).0.abs() <= 1
        && matches!((from.rank(), to.rank()), (Rank::Seventh, Rank::Eighth) | (Rank::Second, Rank::First))
}

impl FromStr for Move {
    type Err = MoveError;

    /// `b1c3`, `b1~c3`, `e7e8q`, `e7~e8n`, in lower or upper case.
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

/// `b1c3`, `b1~c3`, `e7e8n`. The `q` of a promotion is not written: whether a pawn moves depends on the position.
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

/// A move, or `+` and `-` for a measurement result.
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
            ("e2e4q", "no pawn promotes to a queen from e2 to e4"),
            ("e7e8k", "no pawn promotes to a king"),
            ("c7e8n", "no pawn promotes to a knight from c7 to e8"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
