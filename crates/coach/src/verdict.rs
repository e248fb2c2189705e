//! The verdict on a move, from the win probabilities before and after it.

use std::fmt;

use tabia_core::Score;
use tabia_core::chances::{Mark, win_percent};

/// Alternatives this many points of winning chances worse make a move the only one.
pub const ONLY_MOVE: f64 = 15.0;
/// Chances of winning in per cent from which a position counts as won.
const WON: f64 = 85.0;
/// Below this it does not any more.
const NOT_WON: f64 = 65.0;

/// A verdict on a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The best move is a sound sacrifice.
    Brilliant,
    /// Every other move is much worse.
    OnlyMove,
    /// The move that the search would play, or one as good.
    Best,
    /// It loses less than an inaccuracy does.
    Good,
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
    /// A won position is no longer won.
    MissedWin,
    /// A forced mate was missed.
    MissedMate,
    /// The opponent now has a forced mate.
    AllowedMate,
}

impl Verdict {
    /// The verdict on a move from the mover's scores with the best move and after the move played.
    pub fn of(best: Score, played: Score, is_best: bool) -> Verdict {
        let mark = if is_best { None } else { Mark::of_loss(loss(best, played)) };
        let mates = |score: Score| score.is_mate() && score > Score::DRAW;
        let is_mated = |score: Score| score.is_mate() && score < Score::DRAW;
        match mark {
            None if is_best => Verdict::Best,
            None => Verdict::Good,
            Some(_) if is_mated(played) && !is_mated(best) => Verdict::AllowedMate,
            Some(_) if mates(best) && !mates(played) => Verdict::MissedMate,
            Some(_)
                if win_percent(best) >= WON
                    && win_percent(played) < NOT_WON
                    && win_percent(played) >= 35.0 =>
            {
                Verdict::MissedWin
            }
            Some(Mark::Inaccuracy) => Verdict::Inaccuracy,
            Some(Mark::Mistake) => Verdict::Mistake,
            Some(Mark::Blunder) => Verdict::Blunder,
        }
    }

    /// Whether the move is an error.
    pub const fn is_bad(self) -> bool {
        !matches!(self, Verdict::Brilliant | Verdict::OnlyMove | Verdict::Best | Verdict::Good)
    }

    /// As documents write it: `missed mate`.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Brilliant => "brilliant",
            Verdict::OnlyMove => "only move",
            Verdict::Best => "best",
            Verdict::Good => "good",
            Verdict::Inaccuracy => "inaccuracy",
            Verdict::Mistake => "mistake",
            Verdict::Blunder => "blunder",
            Verdict::MissedWin => "missed win",
            Verdict::MissedMate => "missed mate",
            Verdict::AllowedMate => "allowed mate",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Points of winning chances between two scores of the same side.
pub fn loss(best: Score, played: Score) -> f64 {
    (win_percent(best) - win_percent(played)).max(0.0)
}

/// The mark beside a move, by what it loses.
pub fn mark(best: Score, played: Score) -> Option<Mark> {
    Mark::of_loss(loss(best, played))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_winning_chances() {
        let of = |best, played| Verdict::of(best, played, false);
        assert_eq!(of(Score::cp(20), Score::cp(10)), Verdict::Good);
        assert_eq!(of(Score::cp(20), Score::cp(-50)), Verdict::Inaccuracy);
        assert_eq!(of(Score::cp(20), Score::cp(-100)), Verdict::Mistake);
        assert_eq!(of(Score::cp(20), Score::cp(-300)), Verdict::Blunder);
        assert_eq!(of(Score::cp(700), Score::cp(0)), Verdict::MissedWin);
        assert_eq!(of(Score::mate_in_plies(3), Score::cp(50)), Verdict::MissedMate);
        assert_eq!(of(Score::cp(0), Score::mated_in_plies(4)), Verdict::AllowedMate);
        assert_eq!(Verdict::of(Score::cp(20), Score::cp(20), true), Verdict::Best);
        // Mate in five instead of mate in two throws nothing away.
        assert_eq!(of(Score::mate_in_plies(3), Score::mate_in_plies(9)), Verdict::Good);
    }
}
