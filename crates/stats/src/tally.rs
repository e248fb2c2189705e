//! Win, draw and loss counts of one player.

use std::iter::Sum;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::estimate::{Basis, Estimate};
use super::result::{GameResult, PairResult};

/// Results from the view of one named player, against one opponent or several.
///
/// Games count once, whether they came in pairs or alone; pairs are counted beside them.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games this player won.
    pub wins: u64,
    pub draws: u64,
    /// Games this player lost.
    pub losses: u64,
    /// Colour-swapped pairs by this player's half points: `[LL, LD, DD+WL, WD, WW]`.
    pub pentanomial: [u64; 5],
}

impl Tally {
    /// Counts colour-swapped pairs.
    ///
    /// ```
    /// use tabia_stats::GameResult::{Draw, Loss, Win};
    /// use tabia_stats::{PairResult, Tally};
    ///
    /// let tally = Tally::of_pairs([PairResult::new(Win, Draw), PairResult::new(Loss, Win)]);
    /// assert_eq!((tally.wins, tally.draws, tally.losses), (2, 1, 1));
    /// assert_eq!(tally.pentanomial, [0, 0, 1, 1, 0]);
    /// ```
    pub fn of_pairs(pairs: impl IntoIterator<Item = PairResult>) -> Tally {
        let mut tally = Tally::default();
        for pair in pairs {
            tally.add_pair(pair);
        }
        tally
    }

    /// Counts unpaired games.
    pub fn of_games(games: impl IntoIterator<Item = GameResult>) -> Tally {
        let mut tally = Tally::default();
        for game in games {
            tally.add_game(game);
        }
        tally
    }

    /// Two games from one opening with colours swapped.
    pub fn add_pair(&mut self, pair: PairResult) {
        self.add_game(pair.as_white);
        self.add_game(pair.as_black);
        self.pentanomial[pair.bucket()] += 1;
    }

    /// A game that belongs to no pair, or whose other half was not played.
    pub fn add_game(&mut self, game: GameResult) {
        match game {
            GameResult::Win => self.wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Loss => self.losses += 1,
        }
    }

    /// The same games from the view of the opponents.
    ///
    /// ```
    /// use tabia_stats::{GameResult, Tally};
    ///
    /// let tally = Tally::of_games([GameResult::Win, GameResult::Win, GameResult::Draw]);
    /// assert_eq!(tally.flipped().losses, 2);
    /// ```
    #[must_use]
    pub fn flipped(mut self) -> Tally {
        self.pentanomial.reverse();
        Tally { wins: self.losses, losses: self.wins, ..self }
    }

    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    pub fn pairs(&self) -> u64 {
        self.pentanomial.iter().sum()
    }

    /// A point for a win, half for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Score rate: points divided by games; `None` without games.
    pub fn point_share(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// Drawn games divided by games; `None` without games.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// Won pairs divided by lost pairs; infinite if none was lost, `None` if none was decided.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [lost_twice, lost, _, won, won_twice] = self.pentanomial;
        let (won, lost) = (won + won_twice, lost + lost_twice);
        (won + lost > 0).then(|| won as f64 / lost as f64)
    }

    /// Elo estimate, with the variance over pairs, or over games if most of them are unpaired.
    ///
    /// With the variance over pairs, unpaired games (the end of an interrupted match) are left out, so that no unbalanced
    /// opening is counted from one side only.
    pub fn estimate(&self) -> Estimate {
        if 4 * self.pairs() >= self.games() && self.pairs() > 0 {
            Estimate::of_pairs(self.pentanomial)
        } else {
            Estimate::of_games([self.losses, self.draws, self.wins])
        }
    }

    /// A summary for JSON.
    pub fn summary(&self) -> Summary {
        let estimate = self.estimate();
        Summary {
            games: self.games(),
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
            points: self.points(),
            point_share: self.point_share(),
            pentanomial: self.pentanomial,
            estimate,
            draw_ratio: self.draw_ratio(),
            pairs_ratio: self.pairs_ratio(),
        }
    }

    /// Whether the variance is over pairs or over games.
    pub fn basis(&self) -> Basis {
        self.estimate().basis
    }
}

/// Adds results of the same player.
impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        for (mine, theirs) in self.pentanomial.iter_mut().zip(other.pentanomial) {
            *mine += theirs;
        }
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), |mut sum, tally| {
            sum += tally;
            sum
        })
    }
}

/// Results of a match, from the view of one named player; one flat object in JSON.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    pub games: u64,
    /// Games this player won.
    pub wins: u64,
    pub draws: u64,
    /// Games this player lost.
    pub losses: u64,
    /// A point for a win, half for a draw.
    pub points: f64,
    /// Points divided by games.
    pub point_share: Option<f64>,
    /// Pairs by half points: `[LL, LD, DD+WL, WD, WW]`.
    pub pentanomial: [u64; 5],
    /// Elo with its error.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// Drawn games divided by games.
    pub draw_ratio: Option<f64>,
    /// Won pairs divided by lost pairs.
    pub pairs_ratio: Option<f64>,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "zeros, halves and infinities are exact")]

    use super::*;
    use GameResult::{Draw, Loss, Win};
    use proptest::prelude::*;

    fn result() -> impl Strategy<Value = GameResult> {
        prop_oneof![Just(Loss), Just(Draw), Just(Win)]
    }

    proptest! {
        #[test]
        fn no_results_lead_to_a_nan(pairs in prop::collection::vec((result(), result()), 0..12), alone in prop::collection::vec(result(), 0..12)) {
            let mut tally = Tally::of_pairs(pairs.into_iter().map(|(white, black)| PairResult::new(white, black)));
            tally += Tally::of_games(alone);
            let summary = tally.summary();
            let estimate = summary.estimate;
            let numbers = [estimate.elo, estimate.elo_error_95, estimate.nelo, estimate.nelo_error_95, estimate.los];
            for number in numbers.into_iter().chain([summary.draw_ratio, summary.pairs_ratio, summary.point_share]).flatten() {
                prop_assert!(!number.is_nan(), "{summary:?}");
            }
            prop_assert!(estimate.los.is_none_or(|los| (0.0..=1.0).contains(&los)));
            prop_assert!(estimate.elo_error_95.is_none_or(|error| error > 0.0));
        }

        #[test]
        fn the_opponent_sees_the_opposite(pairs in prop::collection::vec((result(), result()), 1..40)) {
            let pairs: Vec<_> = pairs.into_iter().map(|(white, black)| PairResult::new(white, black)).collect();
            let tally = Tally::of_pairs(pairs.iter().copied());
            prop_assert_eq!(Tally::of_pairs(pairs.into_iter().map(PairResult::flipped)), tally.flipped());
            let (mine, theirs) = (tally.estimate(), tally.flipped().estimate());
            prop_assert!((mine.los.unwrap() + theirs.los.unwrap() - 1.0).abs() < 1e-9);
            let (mine, theirs) = (mine.elo.unwrap(), theirs.elo.unwrap());
            prop_assert!(mine == -theirs || (mine + theirs).abs() < 1e-9);
        }
    }

    #[test]
    fn games_and_pairs_are_counted_side_by_side() {
        let mut tally = Tally::of_pairs([PairResult::new(Win, Draw), PairResult::new(Win, Loss)]);
        tally.add_game(Loss);
        assert_eq!((tally.wins, tally.draws, tally.losses), (2, 1, 2));
        assert_eq!(tally.pentanomial, [0, 0, 1, 1, 0]);
        assert_eq!((tally.games(), tally.pairs(), tally.points()), (5, 2, 2.5));
        assert_eq!(tally.pairs_ratio(), Some(f64::INFINITY));
        assert_eq!(tally.estimate(), Estimate::of_pairs([0, 0, 1, 1, 0]));
    }

    #[test]
    fn unpaired_games_are_judged_as_games_and_say_so() {
        let tally = Tally::of_games([Win, Win, Draw, Loss]);
        assert_eq!(tally.basis(), Basis::Trinomial);
        assert_eq!(tally.estimate(), Estimate::of_games([1, 1, 2]));
        assert_eq!(tally.pairs_ratio(), None);
    }

    #[test]
    fn json_is_flat_and_has_the_names_of_the_match_command() {
        let json = serde_json::to_value(Tally::of_pairs([PairResult::new(Win, Win)]).summary()).unwrap();
        for name in ["games", "wins", "draws", "losses", "pentanomial", "elo", "elo_error_95", "los", "basis"]
        {
            assert!(json.get(name).is_some(), "{name} is missing in {json}");
        }
        assert_eq!(json["elo"], serde_json::Value::Null);
        assert_eq!(json["basis"], "pentanomial");
    }
}
