//! Probabilities of a move before it is made, as shown to players.

use crate::action::Move;
use crate::branch::Effect;
use crate::game::QuantumGame;

/// Total weights of the branches in which a move has some effect.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Odds {
    /// In which it is possible.
    pub made: u64,
    pub captures: u64,
    /// In which it captures the king.
    pub wins: u64,
    pub total: u64,
    /// Whether it splits: then it is made in half of the branches where it is possible.
    pub split: bool,
}

impl Odds {
    /// Success probability (rule 13): the share of the branches in which it is possible, halved for a split.
    pub fn success(&self) -> f64 {
        self.share(self.made) * if self.split { 0.5 } else { 1.0 }
    }

    /// Probability of a capture (rule 9).
    pub fn capture(&self) -> f64 {
        self.share(self.captures)
    }

    /// Probability of capturing the king and winning (rule 10).
    pub fn win(&self) -> f64 {
        self.share(self.wins)
    }

    /// Whether there is a measurement: an uncertain capture, or an uncertain king.
    pub fn is_measured(&self) -> bool {
        self.captures > 0 && (self.captures < self.total || self.wins > 0 && self.wins < self.captures)
    }

    fn share(&self, weight: u64) -> f64 {
        weight as f64 / self.total as f64
    }
}

impl QuantumGame {
    /// The odds of a move of the side to move. An illegal move is possible nowhere.
    ///
    /// ```
    /// use tabia_quantum::QuantumGame;
    ///
    /// let game = QuantumGame::default();
    /// let odds = game.odds(game.read_move("g1~f3")?);
    /// assert_eq!((odds.success(), odds.capture()), (0.5, 0.0));
    /// # Ok::<(), tabia_quantum::PlayError>(())
    /// ```
    pub fn odds(&self, m: Move) -> Odds {
        let mut odds = Odds { total: self.total, split: m.is_split(), ..Odds::default() };
        for branch in &self.branches {
            match branch.effect(m, self.turn) {
                Some(Effect::Capture { at }) if !m.is_split() => {
                    odds.made += branch.weight;
                    odds.captures += branch.weight;
                    if branch.board().kings().contains(at) {
                        odds.wins += branch.weight;
                    }
                }
                Some(Effect::Castle(_)) if !m.is_split() => odds.made += branch.weight,
                Some(Effect::Quiet) => odds.made += branch.weight,
                _ => {}
            }
        }
        odds
    }
}
