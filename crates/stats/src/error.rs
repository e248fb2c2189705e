//! Errors of invalid arguments.

use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Error)]
pub enum StatsError {
    #[error(
        "elo0 is {elo0} and elo1 is {elo1}: elo0 must be the smaller of two different numbers, such as 0 and 5"
    )]
    Hypotheses {
        /// Strength under H0.
        elo0: f64,
        /// Strength under H1.
        elo1: f64,
    },
    #[error(
        "{elo} Elo is out of range: hypotheses must be between -{farthest} and {farthest} Elo, such as 0 and 5"
    )]
    TooFar { elo: f64, farthest: f64 },
    #[error("{name} is {value}: an error rate lies between 0 and 0.5, such as 0.05")]
    ErrorRate {
        /// `alpha` or `beta`.
        name: &'static str,
        value: f64,
    },
    #[error("player {player} has a result, but the players are numbered from 0 to below {players}")]
    UnknownPlayer { player: usize, players: usize },
    #[error("player {0} is paired with itself: a pairing has two players")]
    AgainstItself(usize),
    #[error("player {player} is anchored at {elo}: an anchor is a finite rating, such as 2500")]
    AnchorRating { player: usize, elo: f64 },
    #[error("player {0} is anchored twice: a player has one known rating")]
    AnchoredTwice(usize),
}
