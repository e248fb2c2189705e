//! Everything that decides what is played, as it is kept in the manifest of a run.

use serde::{Deserialize, Serialize};
use tabia_quantum::QuantumGame;
use tabia_stats::Sprt;

use crate::report::Standings;
use crate::tournament::chess::{Entrant, PlayerInfo, SprtSettings};
use crate::tournament::{Format, Schedule, Scoreboard, TournamentError};

/// A match of quantum chess.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Where everything random comes from.
    pub seed: u64,
    /// Who meets whom.
    pub format: Format,
    /// Games of each pairing.
    pub games: usize,
    /// Random classical plies before the agents begin.
    pub opening_plies: u32,
    /// Where games start, as text, one after the other by round; none is the usual start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<String>,
    /// When the match may end early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSettings>,
    /// Who plays; the first is the one whose view is taken.
    pub agents: Vec<Entrant>,
}

impl Settings {
    /// What is wrong with the settings as a whole, if anything is.
    pub fn check(&self) -> Result<(), TournamentError> {
        let refuse = |text: String| Err(TournamentError::Settings(text));
        if self.agents.len() < 2 {
            return refuse(format!(
                "a match needs two agents, {} given: --agent greedy --agent random",
                self.agents.len()
            ));
        }
        Entrant::check(&self.agents, self.sprt)?;
        for (index, text) in self.positions.iter().enumerate() {
            let number = index + 1;
            let game = text
                .parse::<QuantumGame>()
                .map_err(|error| TournamentError::Settings(format!("position {number}: {error}")))?;
            if let Some(outcome) = game.outcome() {
                return refuse(format!("position {number}: the game is over in it: {outcome}"));
            }
        }
        self.sequential_test().map(|_| ())
    }

    /// The games to play.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.agents.len(), self.format, self.games, self.seed)
    }

    /// The sequential test, if one is asked for.
    pub fn sequential_test(&self) -> Result<Option<Sprt>, TournamentError> {
        self.sprt.map(SprtSettings::test).transpose()
    }

    /// Who plays, for the result.
    pub fn player_infos(&self) -> Vec<PlayerInfo> {
        self.agents.iter().map(PlayerInfo::from).collect()
    }

    /// How games begin, in words.
    fn openings(&self) -> String {
        let plies = format!("{} random classical plies", self.opening_plies);
        match (self.positions.len(), self.opening_plies) {
            (0, _) => plies,
            (1, 0) => "1 given position".to_owned(),
            (count, 0) => format!("{count} given positions"),
            (count, _) => format!("given positions ({count}), then {plies}"),
        }
    }

    /// Standings of the match, for tables and plots.
    pub fn standings(&self, scoreboard: &Scoreboard) -> Result<Standings, TournamentError> {
        let title = match self.agents.as_slice() {
            [first, second] => format!("{} against {} at quantum chess", first.name, second.name),
            agents => format!("{} agents at quantum chess, {}", agents.len(), self.format),
        };
        let mut standings = Entrant::standings(&self.agents, &title, scoreboard)?;
        standings.settings = vec![
            ("games".to_owned(), format!("{} of each pairing, {}", self.games, self.format)),
            ("openings".to_owned(), self.openings()),
            ("seed".to_owned(), self.seed.to_string()),
        ];
        Ok(standings)
    }
}
