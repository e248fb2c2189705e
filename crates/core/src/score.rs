//! A score in centipawns, with mates and tablebase wins at the far ends of the same scale.
//!
//! One number line keeps alpha-beta simple: a mate found sooner is further out than one found later, a
//! tablebase win lies beyond every evaluation and short of every mate. Everything fits 16 bits, so that a
//! transposition table entry can hold it.
//!
//! ```text
//! evaluations          |cp| <= 28_000
//! tablebase wins       29_000 < |cp| < 30_000     (nearer to the root is further out)
//! mates                30_000 <= |cp| <= 32_000   (32_000 - plies)
//! ```

use std::fmt;
use std::ops::Neg;

/// Centipawns, or the distance to mate. The function that returns it says from which side's view.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i16);

impl Score {
    pub const DRAW: Score = Score(0);
    /// Mate on the board, seen by the winner.
    pub const MATE: Score = Score(32_000);
    /// Scores at or beyond this are mates.
    pub const MATE_BOUND: Score = Score(30_000);
    /// A tablebase win at the root, seen by the winner.
    pub const TABLEBASE_WIN: Score = Score(29_900);
    /// Scores at or beyond this (and short of [`Score::MATE_BOUND`]) are tablebase wins.
    pub const TABLEBASE_BOUND: Score = Score(29_000);
    /// Bound of evaluations.
    pub const EVALUATION_BOUND: Score = Score(28_000);
    /// Larger than every score that can occur.
    pub const INFINITE: Score = Score(32_001);

    /// An evaluation in centipawns, clamped to [`Score::EVALUATION_BOUND`].
    pub const fn cp(centipawns: i32) -> Score {
        let bound = Score::EVALUATION_BOUND.0 as i32;
        if centipawns > bound {
            Score::EVALUATION_BOUND
        } else if centipawns < -bound {
            Score(-Score::EVALUATION_BOUND.0)
        } else {
            Score(centipawns as i16)
        }
    }

    /// The side whose view this is mates after `plies` half-moves.
    pub const fn mate_in_plies(plies: u16) -> Score {
        Score(Score::MATE.0 - plies as i16)
    }

    /// The side whose view this is is mated after `plies` half-moves.
    pub const fn mated_in_plies(plies: u16) -> Score {
        Score(plies as i16 - Score::MATE.0)
    }

    /// The raw number on the scale described above.
    pub const fn raw(self) -> i32 {
        self.0 as i32
    }

    /// A score from its raw number, clamped to [`Score::INFINITE`].
    pub const fn from_raw(raw: i32) -> Score {
        let bound = Score::INFINITE.0 as i32;
        if raw > bound {
            Score::INFINITE
        } else if raw < -bound {
            Score(-Score::INFINITE.0)
        } else {
            Score(raw as i16)
        }
    }

    /// Half-moves to mate, if this is a mate: positive when the side whose view this is gives it.
    pub const fn plies_to_mate(self) -> Option<i32> {
        if self.0 >= Score::MATE_BOUND.0 {
            Some((Score::MATE.0 - self.0) as i32)
        } else if self.0 <= -Score::MATE_BOUND.0 {
            Some(-((Score::MATE.0 + self.0) as i32))
        } else {
            None
        }
    }

    /// Full moves to mate as UCI counts them: `mate 1` mates with the next move, `mate -1` is mated by the
    /// next move of the other side. Being mated on the board is `mate 0`.
    pub const fn moves_to_mate(self) -> Option<i32> {
        match self.plies_to_mate() {
            Some(plies) if plies > 0 => Some((plies + 1) / 2),
            Some(plies) => Some((plies - 1) / 2),
            None => None,
        }
    }

    /// A mate for either side.
    pub const fn is_mate(self) -> bool {
        self.plies_to_mate().is_some()
    }

    /// A mate or a tablebase result: proven, not estimated.
    pub const fn is_decisive(self) -> bool {
        self.0 >= Score::TABLEBASE_BOUND.0 || self.0 <= -Score::TABLEBASE_BOUND.0
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// Pawns with a sign (`+0.35`), or `#3` and `#-2` for mates in full moves.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.moves_to_mate() {
            Some(0) => f.write_str("#-0"),
            Some(moves) => write!(f, "#{moves}"),
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Score({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_full_moves_as_uci_does() {
        assert_eq!(Score::mate_in_plies(1).moves_to_mate(), Some(1));
        assert_eq!(Score::mate_in_plies(3).moves_to_mate(), Some(2));
        assert_eq!(Score::mated_in_plies(2).moves_to_mate(), Some(-1));
        assert_eq!(Score::mated_in_plies(4).moves_to_mate(), Some(-2));
        assert_eq!(Score::mated_in_plies(0).moves_to_mate(), Some(0));
        // Negation does not change the distance to mate.
        assert_eq!((-Score::mate_in_plies(1)).moves_to_mate(), Some(-1));
        assert_eq!((-Score::mate_in_plies(3)).moves_to_mate(), Some(-2));
        assert_eq!(Score::cp(9_999).moves_to_mate(), None);
    }

    #[test]
    fn the_scale_is_ordered_from_being_mated_to_mating() {
        let line = [
            Score::mated_in_plies(2),
            Score::mated_in_plies(40),
            -Score::TABLEBASE_WIN,
            Score::cp(-40_000),
            Score::cp(-100),
            Score::DRAW,
            Score::cp(100),
            Score::cp(40_000),
            Score::TABLEBASE_WIN,
            Score::mate_in_plies(41),
            Score::mate_in_plies(3),
        ];
        assert!(line.is_sorted());
        assert!(!Score::cp(40_000).is_decisive() && Score::TABLEBASE_WIN.is_decisive());
    }

    #[test]
    fn people_read_pawns_and_mates() {
        assert_eq!(Score::cp(35).to_string(), "+0.35");
        assert_eq!(Score::cp(-120).to_string(), "-1.20");
        assert_eq!(Score::mate_in_plies(5).to_string(), "#3");
        assert_eq!(Score::mated_in_plies(4).to_string(), "#-2");
    }
}
