//! What the games so far add up to.
//!
//! Games are counted in the order of the schedule, so that a standing is a function of how many were counted and of
//! nothing else. From the view of the first player of each pairing; a contest of two is thus seen by the first.

use serde::Serialize;
use tabia_core::{Outcome, Reason};

use super::schedule::{Fixture, Schedule};
use crate::stats::{GameResult, PairResult, Sprt, Tally};

/// What a player did that lost games.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Faults {
    /// Games lost by a move that is not legal.
    pub illegal_moves: u64,
    /// Games lost on time.
    pub time_losses: u64,
    /// Games lost by a program that died, hung or spoke nonsense.
    pub crashes: u64,
}

impl Faults {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.illegal_moves + self.time_losses + self.crashes
    }
}

/// Results of a contest.
#[derive(Clone, Debug)]
pub struct Standing {
    tallies: Vec<Tally>,
    /// The first game of each pairing's current pair.
    half: Vec<Option<GameResult>>,
    faults: Vec<Faults>,
    white_points: f64,
    plies: u64,
    games: usize,
    sprt: Option<Sprt>,
}

impl Standing {
    /// Nothing was played. A sequential test is about the first pairing.
    pub fn new(schedule: &Schedule, players: usize, sprt: Option<Sprt>) -> Standing {
        let pairings = schedule.pairings().len();
        Standing {
            tallies: vec![Tally::default(); pairings],
            half: vec![None; pairings],
            faults: vec![Faults::default(); players],
            white_points: 0.0,
            plies: 0,
            games: 0,
            sprt,
        }
    }

    /// Counts the next game of the schedule.
    pub fn count(&mut self, schedule: &Schedule, fixture: &Fixture, outcome: Outcome, plies: usize) {
        debug_assert_eq!(fixture.game, self.games, "games are counted in their order");
        self.games += 1;
        self.plies += plies as u64;
        self.white_points += outcome.points(shakmaty::Color::White);
        self.blame(fixture, outcome);
        let first_had = if fixture.is_return { shakmaty::Color::Black } else { shakmaty::Color::White };
        let result = GameResult::of(outcome, first_had);
        let pairing = fixture.pairing;
        if schedule.is_alone(fixture) {
            self.tallies[pairing].add_game(result);
        } else if let Some(as_white) = self.half[pairing].take() {
            let pair = PairResult::new(as_white, result);
            self.tallies[pairing].add_pair(pair);
            if let Some(sprt) = &mut self.sprt {
                sprt.add(pair);
            }
        } else {
            self.half[pairing] = Some(result);
        }
    }

    fn blame(&mut self, fixture: &Fixture, outcome: Outcome) {
        let Some(winner) = outcome.winner else { return };
        let faults = &mut self.faults[winner.fold_wb(fixture.black, fixture.white)];
        match outcome.reason {
            Reason::IllegalMove => faults.illegal_moves += 1,
            Reason::TimeForfeit => faults.time_losses += 1,
            Reason::Fault => faults.crashes += 1,
            _ => {}
        }
    }

    /// Games counted.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Half-moves of all games counted.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// Points of whoever had White.
    pub fn white_points(&self) -> f64 {
        self.white_points
    }

    /// Results of a pairing from the view of its first player; a game whose return is missing counts alone.
    pub fn tally(&self, pairing: usize) -> Tally {
        let mut tally = self.tallies[pairing];
        if let Some(half) = self.half[pairing] {
            tally.add_game(half);
        }
        tally
    }

    /// What a player did that lost games.
    pub fn faults(&self, player: usize) -> Faults {
        self.faults[player]
    }

    /// The sequential test, if there is one.
    pub fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// Whether a sequential test has decided.
    pub fn is_decided(&self) -> bool {
        self.sprt.as_ref().is_some_and(|sprt| sprt.verdict().is_final())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Format;
    use crate::stats::EloModel;
    use shakmaty::Color;

    fn counted(games: usize, outcomes: &[Outcome]) -> (Schedule, Standing) {
        let schedule = Schedule::new(2, Format::RoundRobin, games, 1);
        let mut standing = Standing::new(&schedule, 2, None);
        for (game, outcome) in outcomes.iter().enumerate() {
            standing.count(&schedule, &schedule.fixture(game), *outcome, 10);
        }
        (schedule, standing)
    }

    #[test]
    fn results_are_seen_by_the_first_player() {
        let white = Outcome::win(Color::White, Reason::Checkmate);
        // The first wins with White, then as White again loses the return to White: one each.
        let (_, standing) = counted(4, &[white, white, Outcome::draw(Reason::Repetition)]);
        let tally = standing.tally(0);
        assert_eq!((tally.wins, tally.draws, tally.losses), (1, 1, 1));
        assert_eq!(tally.pentanomial, [0, 0, 1, 0, 0]);
        assert_eq!((standing.games(), standing.plies()), (3, 30));
    }

    #[test]
    fn faults_are_the_losers() {
        let lost = |reason| Outcome::win(Color::Black, reason);
        let (_, standing) =
            counted(4, &[lost(Reason::Fault), lost(Reason::TimeForfeit), lost(Reason::IllegalMove)]);
        assert_eq!(standing.faults(0), Faults { illegal_moves: 1, time_losses: 0, crashes: 1 });
        assert_eq!(standing.faults(1), Faults { illegal_moves: 0, time_losses: 1, crashes: 0 });
    }

    #[test]
    fn a_test_decides_at_a_pair_and_not_before() {
        let schedule = Schedule::new(2, Format::RoundRobin, 1000, 1);
        let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05, EloModel::Logistic).unwrap();
        let mut standing = Standing::new(&schedule, 2, Some(sprt));
        while !standing.is_decided() {
            let fixture = schedule.fixture(standing.games());
            let first = if fixture.is_return { Color::Black } else { Color::White };
            let outcome = if fixture.round % 3 == 0 {
                Outcome::draw(Reason::Agreement)
            } else {
                Outcome::win(first, Reason::Checkmate)
            };
            standing.count(&schedule, &fixture, outcome, 1);
        }
        assert_eq!(standing.games() % 2, 0);
        assert!(standing.games() < 200);
    }
}
