//! `ratings.json`: results of networks in matches, and ratings of those that played one another.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tabia_run::atomic_file;
use tabia_stats::ratings::{self, Advantage, EncounterScore};
use tabia_stats::{Estimate, StatsError, Tally};

use super::{MatchSettings, OPPONENTS};
use crate::error::NetError;

/// File name of the ratings.
pub const RATINGS: &str = "ratings.json";

/// Matches that `tabia quantum rate` played.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ratings {
    pub ratings: Vec<Rating>,
}

/// A match of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    pub generation: u32,
    /// SHA-256 of the network's weights.
    pub network: String,
    /// An agent, or another network's SHA-256.
    pub opponent: String,
    /// The opponent's generation, if it is a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent_generation: Option<u32>,
    pub games: u32,
    pub simulations: u32,
    pub seed: u64,
    #[serde(flatten)]
    pub tally: Tally,
}

/// A network among others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// `None` if the matches do not say.
    pub generation: Option<u32>,
    pub network: String,
    pub elo: Option<f64>,
    /// 95%, relative to the mean of all.
    pub error: Option<f64>,
    pub games: u64,
    pub points: f64,
}

impl Standing {
    /// Generation, Elo and its error, for a chart; `None` if there is no place for it.
    pub fn point(&self) -> Option<(f64, f64, Option<f64>)> {
        Some((f64::from(self.generation?), self.elo?, self.error))
    }
}

impl Rating {
    /// Elo difference to the opponent and its error. One draw is added, so that the estimate is finite even if every
    /// game was won.
    pub fn elo(&self) -> (f64, Option<f64>) {
        let Tally { wins, draws, losses, .. } = self.tally;
        let estimate = Estimate::of_games([losses, draws + 1, wins]);
        (estimate.elo.unwrap_or_default(), estimate.elo_error_95)
    }

    /// Whether it was played with these settings; the number of threads makes no difference.
    fn has(&self, settings: MatchSettings) -> bool {
        (self.games, self.simulations, self.seed) == (settings.games, settings.simulations, settings.seed)
    }
}

impl Ratings {
    /// Reads a file; one that is not there has no matches.
    pub fn read(path: &Path) -> Result<Ratings, NetError> {
        if !path.exists() {
            return Ok(Ratings::default());
        }
        let text = fs::read_to_string(path).map_err(NetError::file("read", path))?;
        Ratings::from_text(&text, path)
    }

    /// Reads a file's text; `path` is for messages only.
    pub fn from_text(text: &str, path: &Path) -> Result<Ratings, NetError> {
        serde_json::from_str(text).map_err(|error| {
            NetError::malformed(path, format!("it holds no ratings that `tabia quantum rate` wrote: {error}"))
        })
    }

    pub fn write(&self, path: &Path) -> Result<(), NetError> {
        let text = serde_json::to_string_pretty(self).expect("texts and numbers can be written");
        atomic_file::write_bytes(path, text.as_bytes()).map_err(NetError::file("write", path))
    }

    /// The match of a network that was played with these settings.
    pub fn find(&self, network: &str, opponent: &str, settings: MatchSettings) -> Option<&Rating> {
        let is_it = |rating: &&Rating| rating.network == network && rating.opponent == opponent;
        self.ratings.iter().filter(is_it).find(|rating| rating.has(settings))
    }

    /// Ratings of the networks that played one another, fitted to all of these matches together, by generation. Their mean is 0.
    pub fn among(&self) -> Result<Vec<Standing>, StatsError> {
        let mut networks: Vec<(&str, Option<u32>)> = Vec::new();
        let mut index = |network, generation: Option<u32>| {
            let known = networks.iter().position(|(known, _)| *known == network);
            let at = known.unwrap_or(networks.len());
            if at == networks.len() {
                networks.push((network, None));
            }
            networks[at].1 = networks[at].1.or(generation);
            at
        };
        let mut scores = Vec::new();
        for rating in &self.ratings {
            if OPPONENTS.contains(&rating.opponent.as_str()) {
                continue;
            }
            let first = index(&rating.network, Some(rating.generation));
            let second = index(&rating.opponent, rating.opponent_generation);
            let Tally { wins, draws, losses, pentanomial } = rating.tally;
            // Every opening is played with both colours: the first move's advantage cancels, and is not fitted.
            let as_white = [losses, draws, wins];
            scores.push(EncounterScore { as_white, pentanomial, ..EncounterScore::new(first, second) });
        }
        let fitted = ratings::fit_with(networks.len(), &scores, &[], Advantage::Fixed(0.0))?;
        let standing = |(at, (network, generation)): (usize, &(&str, Option<u32>))| {
            let rating = fitted.of(at);
            Standing {
                generation: *generation,
                network: (*network).to_owned(),
                elo: rating.and_then(|rating| rating.elo),
                error: rating.and_then(|rating| rating.elo_error_95),
                games: rating.map_or(0, |rating| rating.games),
                points: rating.map_or(0.0, |rating| rating.points),
            }
        };
        let mut standings: Vec<Standing> = networks.iter().enumerate().map(standing).collect();
        standings.sort_by_key(|standing| standing.generation);
        Ok(standings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(generation: u32, opponent: &str, opponent_generation: Option<u32>, wins: u64) -> Rating {
        let losses = 10 - wins;
        Rating {
            generation,
            network: format!("network {generation}"),
            opponent: opponent.to_owned(),
            opponent_generation,
            games: 10,
            simulations: 64,
            seed: 1,
            tally: Tally { wins, losses, ..Tally::default() },
        }
    }

    #[test]
    fn networks_are_rated_by_their_matches_among_themselves() {
        let matches = [
            played(3, "network 1", Some(1), 8),
            played(3, "network 2", None, 6),
            played(2, "network 1", None, 6),
            played(1, "random", None, 10),
        ];
        let standings = Ratings { ratings: matches.to_vec() }.among().unwrap();
        let generations: Vec<_> = standings.iter().map(|standing| standing.generation.unwrap()).collect();
        assert_eq!(generations, [1, 2, 3]);
        let elo: Vec<f64> = standings.iter().map(|standing| standing.elo.unwrap()).collect();
        assert!(elo[0] < elo[1] && elo[1] < elo[2], "{elo:?}");
        assert!(elo.iter().sum::<f64>().abs() < 1e-6, "their mean is 0: {elo:?}");
        assert_eq!(standings.iter().map(|standing| standing.games).collect::<Vec<_>>(), [20, 20, 20]);
        assert!((standings[2].points - 14.0).abs() < 1e-9);
    }

    #[test]
    fn a_match_is_found_by_its_settings_and_without_matches_nobody_is_rated() {
        let ratings = Ratings { ratings: vec![played(3, "random", None, 8)] };
        let settings = MatchSettings { games: 10, simulations: 64, seed: 1, threads: 5 };
        assert!(ratings.find("network 3", "random", settings).is_some());
        assert!(ratings.find("network 3", "greedy", settings).is_none());
        assert!(ratings.find("network 3", "random", MatchSettings { seed: 2, ..settings }).is_none());
        assert_eq!(ratings.among().unwrap(), []);
    }
}
