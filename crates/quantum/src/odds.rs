//! What a move may come to, before it is made: the chances that players are told.

use crate::action::Move;
use crate::branch::Effect;
use crate::game::QuantumGame;

/// What the branches weigh in which a move does this or that. Whole numbers of the same total.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Odds {
    /// In which it can be made.
    pub made: u64,
    /// In which it captures.
    pub captures: u64,
    /// In which it captures the king.
    pub wins: u64,
    /// All of them.
    pub total: u64,
    /// Whether it splits: then half of what can be made is made.
    pub split: bool,
}

impl Odds {
    /// How likely it succeeds (rule 13): the share of the branches in which it can be made, halved for a split.
    pub fn success(&self) -> f64 {
        self.share(self.made) * if self.split { 0.5 } else { 1.0 }
    }

    /// How likely it captures something (rule 9).
    pub fn capture(&self) -> f64 {
        self.share(self.captures)
    }

    /// How likely it takes the king and wins (rule 10).
    pub fn win(&self) -> f64 {
        self.share(self.wins)
    }

    /// Whether luck decides anything: a capture that may or may not happen, or a king that may or may not be what is captured.
    pub fn is_measured(&self) -> bool {
        self.captures > 0 && (self.captures < self.total || self.wins > 0 && self.wins < self.captures)
    }

    fn share(&self, weight: u64) -> f64 {
        weight as f64 / self.total as f64
    }
}

impl QuantumGame {
    /// What a move of the side to move may come to. What is illegal is made nowhere.
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
