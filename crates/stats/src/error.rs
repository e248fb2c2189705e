//! What may be wrong with a question put to the statistics.

use thiserror::Error;

/// A question that has no answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StatsError {
    /// The two hypotheses of a test are the same, in the wrong order, or not numbers.
    #[error(
        "elo0 is {elo0} and elo1 is {elo1}: elo0 must be the smaller of two different numbers, such as 0 and 5"
    )]
    Hypotheses {
        /// Strength under H0.
        elo0: f64,
        /// Strength under H1.
        elo1: f64,
    },
    /// A strength that needs no test.
    #[error("{elo} Elo is too far: a test is between strengths within {farthest}, such as 0 and 5")]
    TooFar {
        /// What was asked for.
        elo: f64,
        /// The most that is tested.
        farthest: f64,
    },
    /// An error rate that no test can have.
    #[error("{name} is {value}: an error rate lies between 0 and 0.5, such as 0.05")]
    ErrorRate {
        /// `alpha` or `beta`.
        name: &'static str,
        /// What was asked for.
        value: f64,
    },
    /// A result of somebody who does not play.
    #[error("player {player} has a result, but the players are numbered from 0 to below {players}")]
    UnknownPlayer {
        player: usize,
        /// How many players there are.
        players: usize,
    },
    /// A result of somebody against himself.
    #[error("player {0} is paired with himself: a pairing has two players")]
    AgainstHimself(usize),
    /// A known rating that is no number.
    #[error("player {player} is anchored at {elo}: an anchor is a finite rating, such as 2500")]
    AnchorRating { player: usize, elo: f64 },
    /// Two known ratings for one player.
    #[error("player {0} is anchored twice: a player has one known rating")]
    AnchoredTwice(usize),
}
