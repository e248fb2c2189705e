//! The schedule: pairings, openings and colours.
//!
//! Every opening is played twice by the same two players, with colours reversed: such a pair of games has less variance
//! than two games from different openings. An encounter is two players; a round is one pair of games of every encounter,
//! all from the same opening.

use std::fmt;

use serde::{Deserialize, Serialize};
use tabia_core::seed;

#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every player plays every other.
    #[default]
    RoundRobin,
    /// The first player plays every other.
    Gauntlet,
    /// Every player plays this many of those that follow in the list: a ladder, for players ordered by strength, without
    /// the games whose result is clear.
    Neighbours(usize),
}

/// `round robin`, `gauntlet` or `3 neighbours`.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Format::RoundRobin => f.write_str("round robin"),
            Format::Gauntlet => f.write_str("gauntlet"),
            Format::Neighbours(reach) => write!(f, "{reach} neighbours"),
        }
    }
}

/// One game of the schedule.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Its number, from 0, in the order of the schedule.
    pub game: usize,
    /// Index of its encounter.
    pub encounter: usize,
    /// Its round, from 0; also the number of its opening.
    pub round: usize,
    /// The second game of its pair.
    pub is_return: bool,
    /// Index of the player with White.
    pub white: usize,
    /// Index of the player with Black.
    pub black: usize,
    /// Seed of everything random in the game.
    pub seed: u64,
}

/// All games of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    encounters: Vec<(usize, usize)>,
    games: usize,
    seed: u64,
}

impl Schedule {
    /// A schedule with `games` games per encounter. An odd number leaves the last opening without its return game.
    pub fn new(players: usize, format: Format, games: usize, seed: u64) -> Schedule {
        let (firsts, reach) = match format {
            Format::RoundRobin => (players, players),
            Format::Gauntlet => (players.min(1), players),
            Format::Neighbours(reach) => (players, reach),
        };
        let seconds = |first: usize| first + 1..players.min(first.saturating_add(reach).saturating_add(1));
        let encounters =
            (0..firsts).flat_map(|first| seconds(first).map(move |second| (first, second))).collect();
        Schedule { encounters, games, seed }
    }

    /// The encounters in order; the first player of each has White in the first game of a pair.
    pub fn encounters(&self) -> &[(usize, usize)] {
        &self.encounters
    }

    pub fn games_per_encounter(&self) -> usize {
        self.games
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.games * self.encounters.len()
    }

    /// Whether there is nothing to play.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Pairs of games per encounter; the last may be half a pair.
    pub fn rounds(&self) -> usize {
        self.games.div_ceil(2)
    }

    /// The game of a number below [`Schedule::len`].
    pub fn pairing(&self, game: usize) -> Pairing {
        let in_round = 2 * self.encounters.len();
        let (round, place) = (game / in_round, game % in_round);
        let half_round = self.games % 2 == 1 && round + 1 == self.rounds();
        let (encounter, is_return) = if half_round { (place, false) } else { (place / 2, place % 2 == 1) };
        let (first, second) = self.encounters[encounter];
        let (white, black) = if is_return { (second, first) } else { (first, second) };
        let seed = seed::derive(self.seed, game as u64);
        Pairing { game, encounter, round, is_return, white, black, seed }
    }

    /// Whether this game has no return game.
    pub fn is_alone(&self, pairing: &Pairing) -> bool {
        self.games % 2 == 1 && pairing.round + 1 == self.rounds()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(schedule: &Schedule) -> Vec<Pairing> {
        (0..schedule.len()).map(|game| schedule.pairing(game)).collect()
    }

    #[test]
    fn pairs_swap_colours_and_keep_their_opening() {
        let schedule = Schedule::new(2, Format::RoundRobin, 6, 1);
        let games = all(&schedule);
        assert_eq!(games.len(), 6);
        for pair in games.chunks(2) {
            assert_eq!((pair[0].white, pair[0].black), (0, 1));
            assert_eq!((pair[1].white, pair[1].black), (1, 0));
            assert_eq!((pair[0].round, pair[1].round), (pair[0].game / 2, pair[0].game / 2));
            assert_ne!(pair[0].seed, pair[1].seed);
        }
    }

    #[test]
    fn everybody_meets_everybody_equally_often_with_each_colour() {
        let schedule = Schedule::new(4, Format::RoundRobin, 4, 1);
        assert_eq!(schedule.len(), 6 * 4);
        for (first, second) in [(0, 1), (1, 3), (2, 3), (3, 0)] {
            let met =
                all(&schedule).iter().filter(|game| (game.white, game.black) == (first, second)).count();
            assert_eq!(met, 2);
        }
    }

    #[test]
    fn in_a_gauntlet_the_first_meets_all_others() {
        let schedule = Schedule::new(4, Format::Gauntlet, 2, 1);
        assert_eq!(schedule.encounters(), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(schedule.len(), 6);
    }

    #[test]
    fn neighbours_meet_those_who_follow_them() {
        let schedule = Schedule::new(4, Format::Neighbours(2), 2, 1);
        assert_eq!(schedule.encounters(), [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]);
        let far = Schedule::new(4, Format::Neighbours(usize::MAX), 2, 1);
        assert_eq!(far.encounters(), Schedule::new(4, Format::RoundRobin, 2, 1).encounters());
    }

    #[test]
    fn an_odd_number_leaves_half_a_pair() {
        let schedule = Schedule::new(3, Format::RoundRobin, 3, 1);
        let games = all(&schedule);
        assert_eq!(games.len(), 9);
        let last: Vec<_> = games[6..].iter().map(|game| (game.encounter, game.is_return)).collect();
        assert_eq!(last, [(0, false), (1, false), (2, false)]);
        assert!(games[6..].iter().all(|game| schedule.is_alone(game)));
        assert!(!schedule.is_alone(&games[5]));
    }
}
