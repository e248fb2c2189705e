//! Rules as sentences: why a move is illegal, what is measured, and the result of a measurement.

use shakmaty::{Color, Role, Square};
use tabia_core::chess::role_name;

use crate::action::{Action, Kind, Move};
use crate::branch::{Branch, Effect};
use crate::game::{QuantumGame, Stage};
use crate::generate;
use crate::superposition::{MAX_BRANCHES, MAX_TOTAL};

impl QuantumGame {
    /// Why a move is illegal; `None` if it is legal.
    pub fn why_illegal(&self, m: Move) -> Option<String> {
        match self.stage {
            Stage::Choice => {}
            Stage::Over(outcome) => return Some(format!("the game is over: {outcome}")),
            Stage::Capture { .. } | Stage::King { .. } => {
                return Some(
                    "a measurement is pending: no move is possible before its result is known".to_owned(),
                );
            }
        }
        let somewhere = self.branches.iter().any(|branch| branch.effect(m, self.turn).is_some());
        match (m.kind(), somewhere) {
            (Kind::Classical, true) => None,
            (Kind::Split, true) => self.why_no_split(m),
            (_, false) => Some(self.why_impossible(m)),
        }
    }

    fn why_no_split(&self, m: Move) -> Option<String> {
        let applies = generate::splits(&self.branches, m, self.turn);
        if applies == 0 {
            let castles = |branch: &Branch| matches!(branch.effect(m, self.turn), Some(Effect::Castle(_)));
            return Some(if self.branches.iter().any(castles) {
                "castling cannot be split".to_owned()
            } else {
                format!("a split never captures, and whatever can go to {} captures there", m.to())
            });
        }
        let branches = self.branches.len();
        if branches + applies > MAX_BRANCHES {
            return Some(format!(
                "it would make {} branches, at most {MAX_BRANCHES} are allowed",
                branches + applies
            ));
        }
        (self.total > MAX_TOTAL / 2)
            .then(|| "the weights of the branches cannot be halved any more".to_owned())
    }

    fn why_impossible(&self, m: Move) -> String {
        let own = |role: Role| {
            self.branches.iter().any(|branch| branch.board().piece_at(m.from()) == Some(role.of(self.turn)))
        };
        let roles: Vec<&str> = Role::ALL.into_iter().filter(|role| own(*role)).map(role_name).collect();
        if roles.is_empty() {
            let enemy = self
                .branches
                .iter()
                .any(|branch| branch.board().by_color(self.turn.other()).contains(m.from()));
            let whose = if enemy { ", only of the other side" } else { "" };
            return format!("nothing of yours can be on {} in any branch{whose}", m.from());
        }
        let what = format!("the {} on {}", roles.join(" or "), m.from());
        if let Some(role) = m.underpromotion()
            && !own(Role::Pawn)
        {
            return format!("{what} is no pawn and cannot become a {}", role_name(role));
        }
        let stands_in_the_way = |branch: &Branch| {
            !branch.board().by_color(self.turn).contains(m.from())
                || branch.board().by_color(self.turn).contains(m.to())
        };
        if self.branches.iter().all(stands_in_the_way) {
            return format!("wherever {what} may be, something of yours is on {}", m.to());
        }
        format!("{what} cannot go to {} in any branch", m.to())
    }

    /// What is being measured, as a clause after "whether".
    pub fn question(&self) -> Option<String> {
        let measurement = self.measurement()?;
        let to = measurement.asked_by.to();
        Some(if measurement.about_king {
            format!("the king was on {to}")
        } else {
            format!("it captures the {}", self.capture_targets(measurement.asked_by).join(" or the "))
        })
    }

    /// The result of the pending measurement as a sentence with its probability: `the knight was not on d5: 50%`.
    pub fn tell(&self, answer: Action) -> Option<String> {
        let measurement = self.measurement()?;
        let m = measurement.asked_by;
        let to = m.to();
        let yes = answer == measurement.answer(true);
        let percent = percent(measurement.probability(yes));
        let told = match (measurement.about_king, yes) {
            (true, true) => format!("the king was on {to}"),
            (true, false) => format!("the king was not on {to}"),
            (false, yes) => {
                let capture_targets = self.capture_targets(m).join(" or the ");
                if yes {
                    format!("{m} took the {capture_targets}")
                } else if self.is_only_found_by_capture(m) {
                    format!("the {capture_targets} was not on {to}")
                } else {
                    format!("{m} did not take the {capture_targets}")
                }
            }
        };
        Some(format!("{told}: {percent}"))
    }

    /// The pieces that a move may capture, as a phrase.
    fn capture_targets(&self, m: Move) -> Vec<&'static str> {
        let taken = |role: Role| {
            self.branches.iter().any(|branch| match branch.effect(m, self.turn) {
                Some(Effect::Capture { at }) => branch.board().role_at(at) == Some(role),
                _ => false,
            })
        };
        Role::ALL.into_iter().filter(|role| taken(*role)).map(role_name).collect()
    }

    /// Whether the move captures in every branch with something to capture.
    fn is_only_found_by_capture(&self, m: Move) -> bool {
        self.branches.iter().all(|branch| {
            let target = branch.board().by_color(self.turn.other()).contains(m.to());
            target == matches!(branch.effect(m, self.turn), Some(Effect::Capture { .. }))
        })
    }

    /// What may be on a square, as a phrase: `knight 50%`, `nothing`.
    pub fn on_square(&self, square: Square) -> String {
        let found: Vec<String> = crate::Marginals::new(self)
            .on(square)
            .into_iter()
            .map(|(piece, probability)| {
                let color = match piece.color {
                    Color::White => "White",
                    Color::Black => "Black",
                };
                format!("{color} {} {}", role_name(piece.role), percent(probability))
            })
            .collect();
        if found.is_empty() { "nothing".to_owned() } else { found.join(", ") }
    }
}

/// A probability as text: `50%`, `12.5%`; 0% and 100% only for the impossible and the certain.
///
/// ```
/// use tabia_quantum::phrases::percent;
///
/// assert_eq!([percent(0.5), percent(0.125)], ["50%", "12.5%"]);
/// ```
pub fn percent(probability: f64) -> String {
    let percent = probability * 100.0;
    if percent <= 0.0 || percent >= 100.0 || (percent - percent.round()).abs() < 1e-9 {
        return format!("{percent:.0}%");
    }
    if percent < 0.1 {
        return "<0.1%".to_owned();
    }
    if percent > 99.9 {
        return ">99.9%".to_owned();
    }
    format!("{percent:.1}%")
}
