//! Results of the games counted so far.
//!
//! Games are counted in the order of the schedule, so that a scoreboard depends only on how many were counted. Results are
//! from the view of the first player of each encounter.

use shakmaty::Color;
use tabia_core::{Outcome, Reason};

use super::schedule::{Pairing, Schedule};
use crate::report::{self, Faults, GameCounts, OpeningScore, Player};
use tabia_games::record::GameRecord;
use tabia_stats::ratings::{Anchor, EncounterScore};
use tabia_stats::{GameResult, PairResult, Sprt, StatsError, Tally};

/// Results of a tournament so far.
#[derive(Clone, Debug)]
pub struct Scoreboard {
    scores: Vec<EncounterScore>,
    /// The first game of each encounter's current pair.
    half: Vec<Option<GameResult>>,
    faults: Vec<Faults>,
    counts: GameCounts,
    openings: Vec<OpeningScore>,
    games: usize,
    sprt: Option<Sprt>,
}

impl Scoreboard {
    /// No games. An SPRT is about the first encounter.
    pub fn new(schedule: &Schedule, players: usize, sprt: Option<Sprt>) -> Scoreboard {
        let encounters = schedule.encounters();
        Scoreboard {
            scores: encounters.iter().map(|(first, second)| EncounterScore::new(*first, *second)).collect(),
            half: vec![None; encounters.len()],
            faults: vec![Faults::default(); players],
            counts: GameCounts::default(),
            openings: Vec::new(),
            games: 0,
            sprt,
        }
    }

    /// Counts the next game of the schedule.
    pub fn count(&mut self, schedule: &Schedule, pairing: &Pairing, outcome: Outcome, record: &GameRecord) {
        debug_assert_eq!(pairing.game, self.games, "games are counted in their order");
        self.games += 1;
        self.counts.add(outcome, record.plies.len());
        self.blame(pairing, outcome);
        if let Some(name) = record.tag("Opening") {
            self.count_opening(name, outcome);
        }
        let color = if pairing.is_return { Color::Black } else { Color::White };
        let result = GameResult::of(outcome, color);
        let encounter = pairing.encounter;
        if schedule.is_alone(pairing) {
            self.scores[encounter].add_game(color, result);
        } else if let Some(as_white) = self.half[encounter].take() {
            let pair = PairResult::new(as_white, result);
            self.scores[encounter].add_pair(pair);
            if let Some(sprt) = &mut self.sprt {
                sprt.add(pair);
            }
        } else {
            self.half[encounter] = Some(result);
        }
    }

    fn blame(&mut self, pairing: &Pairing, outcome: Outcome) {
        let Some(winner) = outcome.winner else { return };
        let faults = &mut self.faults[winner.fold_wb(pairing.black, pairing.white)];
        match outcome.reason {
            Reason::IllegalMove => faults.illegal_moves += 1,
            Reason::TimeForfeit => faults.time_losses += 1,
            Reason::Fault => faults.crashes += 1,
            _ => {}
        }
    }

    fn count_opening(&mut self, name: &str, outcome: Outcome) {
        let result = GameResult::of(outcome, Color::White).index();
        let known = self.openings.iter().position(|opening| opening.name == name);
        let at = known.unwrap_or_else(|| {
            self.openings.push(OpeningScore { name: name.to_owned(), white: [0; 3] });
            self.openings.len() - 1
        });
        self.openings[at].white[result] += 1;
    }

    pub fn games(&self) -> usize {
        self.games
    }

    /// Endings and lengths of the games counted.
    pub fn counts(&self) -> &GameCounts {
        &self.counts
    }

    /// Results of every encounter from the view of its first player; a game whose return is missing counts alone.
    pub fn scores(&self) -> Vec<EncounterScore> {
        let mut scores = self.scores.clone();
        for (score, half) in scores.iter_mut().zip(&self.half) {
            if let Some(result) = half {
                score.add_game(Color::White, *result);
            }
        }
        scores
    }

    /// All results of a player, from its view.
    pub fn tally(&self, player: usize) -> Tally {
        self.scores().iter().map(|score| score.tally_of(player)).sum()
    }

    /// Games that a player lost by faults.
    pub fn faults(&self, player: usize) -> Faults {
        self.faults[player]
    }

    /// Games lost by faults, over all players.
    pub fn all_faults(&self) -> u64 {
        self.faults.iter().map(Faults::total).sum()
    }

    /// The SPRT, if there is one.
    pub fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// Whether the SPRT has accepted a hypothesis.
    pub fn is_decided(&self) -> bool {
        self.sprt.as_ref().is_some_and(|sprt| sprt.verdict().is_final())
    }

    /// Standings for a report. Players are given with their names; their faults are filled in here.
    pub fn report(
        &self,
        title: &str,
        mut players: Vec<Player>,
        anchors: &[Anchor],
    ) -> Result<report::Standings, StatsError> {
        for (player, faults) in players.iter_mut().zip(&self.faults) {
            player.faults = *faults;
        }
        let mut standings = report::Standings::new(title, players, self.scores(), anchors)?;
        standings.sprt = self.sprt.as_ref().map(report::SprtCurve::from);
        standings.games = self.counts.clone();
        standings.openings.clone_from(&self.openings);
        Ok(standings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::Format;
    use tabia_stats::EloModel;

    fn counted(games: usize, outcomes: &[Outcome]) -> Scoreboard {
        let schedule = Schedule::new(2, Format::RoundRobin, games, 1);
        let mut scoreboard = Scoreboard::new(&schedule, 2, None);
        for (game, outcome) in outcomes.iter().enumerate() {
            scoreboard.count(&schedule, &schedule.pairing(game), *outcome, &GameRecord::default());
        }
        scoreboard
    }

    #[test]
    fn results_are_seen_by_the_first_player() {
        let white = Outcome::win(Color::White, Reason::Checkmate);
        // The first wins with White and loses the return: one each.
        let scoreboard = counted(4, &[white, white, Outcome::draw(Reason::Repetition)]);
        let tally = scoreboard.tally(0);
        assert_eq!((tally.wins, tally.draws, tally.losses), (1, 1, 1));
        assert_eq!(tally.pentanomial, [0, 0, 1, 0, 0]);
        assert_eq!(scoreboard.games(), 3);
    }

    #[test]
    fn faults_are_the_losers() {
        let lost = |reason| Outcome::win(Color::Black, reason);
        let scoreboard =
            counted(4, &[lost(Reason::Fault), lost(Reason::TimeForfeit), lost(Reason::IllegalMove)]);
        assert_eq!(scoreboard.faults(0), Faults { illegal_moves: 1, crashes: 1, ..Faults::default() });
        assert_eq!(scoreboard.faults(1), Faults { time_losses: 1, ..Faults::default() });
    }

    #[test]
    fn a_test_decides_at_a_pair_and_not_before() {
        let schedule = Schedule::new(2, Format::RoundRobin, 1000, 1);
        let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05, EloModel::Logistic).unwrap();
        let mut scoreboard = Scoreboard::new(&schedule, 2, Some(sprt));
        while !scoreboard.is_decided() {
            let pairing = schedule.pairing(scoreboard.games());
            let first = if pairing.is_return { Color::Black } else { Color::White };
            let outcome = if pairing.round.is_multiple_of(3) {
                Outcome::draw(Reason::Agreement)
            } else {
                Outcome::win(first, Reason::Checkmate)
            };
            scoreboard.count(&schedule, &pairing, outcome, &GameRecord::default());
        }
        assert_eq!(scoreboard.games() % 2, 0);
        assert!(scoreboard.games() < 200);
    }
}
