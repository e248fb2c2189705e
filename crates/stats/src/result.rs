//! Results of a game and of a colour-swapped pair, from one player's view.

use serde::{Deserialize, Serialize};
use shakmaty::Color;
use tabia_core::Outcome;

/// The result of a game for one player.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    Loss,
    Draw,
    Win,
}

impl GameResult {
    /// The end of a game, from the view of the player who had `color`.
    pub fn of(outcome: Outcome, color: Color) -> GameResult {
        match outcome.winner {
            None => GameResult::Draw,
            Some(winner) if winner == color => GameResult::Win,
            Some(_) => GameResult::Loss,
        }
    }

    /// From the opponent's view.
    #[must_use]
    pub const fn flipped(self) -> GameResult {
        match self {
            GameResult::Loss => GameResult::Win,
            GameResult::Draw => GameResult::Draw,
            GameResult::Win => GameResult::Loss,
        }
    }

    /// 0, 0.5 or 1.
    pub const fn points(self) -> f64 {
        match self {
            GameResult::Loss => 0.0,
            GameResult::Draw => 0.5,
            GameResult::Win => 1.0,
        }
    }

    /// Index in `[losses, draws, wins]`.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Two games from one opening with colours swapped, from the view of one of the two players.
///
/// ```
/// use tabia_stats::{GameResult, PairResult};
///
/// let pair = PairResult::new(GameResult::Win, GameResult::Draw);
/// assert_eq!(pair.bucket(), 3);
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PairResult {
    /// The game in which this player had White.
    pub as_white: GameResult,
    /// The game in which this player had Black.
    pub as_black: GameResult,
}

impl PairResult {
    pub const fn new(as_white: GameResult, as_black: GameResult) -> PairResult {
        PairResult { as_white, as_black }
    }

    /// From the opponent's view, who had the other colour in each game.
    #[must_use]
    pub const fn flipped(self) -> PairResult {
        PairResult { as_white: self.as_black.flipped(), as_black: self.as_white.flipped() }
    }

    /// Points of both games: 0 to 2.
    pub const fn points(self) -> f64 {
        self.as_white.points() + self.as_black.points()
    }

    /// Index in the pentanomial `[LL, LD, DD+WL, WD, WW]`: half points won.
    pub const fn bucket(self) -> usize {
        self.as_white.index() + self.as_black.index()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "zeros, halves and infinities are exact")]

    use super::*;
    use tabia_core::Reason;

    #[test]
    fn a_game_looks_the_other_way_round_from_the_other_side() {
        let end = Outcome::win(Color::Black, Reason::Checkmate);
        assert_eq!(GameResult::of(end, Color::Black), GameResult::Win);
        assert_eq!(GameResult::of(end, Color::White), GameResult::Loss);
        assert_eq!(GameResult::of(Outcome::draw(Reason::Stalemate), Color::White), GameResult::Draw);
    }

    #[test]
    fn a_pair_seen_by_the_opponent_is_the_mirrored_bucket() {
        use GameResult::{Draw, Loss, Win};
        for white in [Loss, Draw, Win] {
            for black in [Loss, Draw, Win] {
                let pair = PairResult::new(white, black);
                assert_eq!(pair.bucket() + pair.flipped().bucket(), 4);
                assert_eq!(pair.points() * 2.0, pair.bucket() as f64);
                assert_eq!(pair.flipped().flipped(), pair);
            }
        }
    }
}
