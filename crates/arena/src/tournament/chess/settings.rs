//! Settings of a match, as stored in the manifest of its run.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tabia_book::Tables;
use tabia_core::AgentSpec;

use super::adjudication::{Adjudication, DrawRule, ResignRule};
use super::clock::TimeMargins;
use super::openings::Order;
use super::referee::Rules;
use super::time_control::TimeControl;
use crate::report::{Player, Standings};
use crate::tournament::error::TournamentError;
use crate::tournament::schedule::{Format, Schedule};
use crate::tournament::scoreboard::Scoreboard;
use tabia_stats::ratings::Anchor;
use tabia_stats::{EloModel, Sprt};

/// A participant of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    /// Its name in tables and games.
    pub name: String,
    pub spec: String,
    #[serde(rename = "pace")]
    pub time_control: TimeControl,
    /// A known rating, which anchors the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<f64>,
}

impl Entrant {
    /// Checks the names and the number of participants.
    pub fn check(entrants: &[Entrant], sprt: Option<SprtSettings>) -> Result<(), TournamentError> {
        let refuse = |text: String| Err(TournamentError::Settings(text));
        let mut names = BTreeSet::new();
        for entrant in entrants {
            if !names.insert(entrant.name.as_str()) {
                return refuse(format!(
                    "two agents are called \"{}\"; give them names of their own",
                    entrant.name
                ));
            }
        }
        if sprt.is_some() && entrants.len() != 2 {
            return refuse(format!("a sequential test is between two agents, not {}", entrants.len()));
        }
        Ok(())
    }

    /// Standings of these entrants, for tables and plots.
    pub fn standings(
        entrants: &[Entrant],
        title: &str,
        scoreboard: &Scoreboard,
    ) -> Result<Standings, TournamentError> {
        let players = entrants.iter().map(|entrant| Player {
            name: entrant.name.clone(),
            detail: format!("{}, {}", entrant.spec, entrant.time_control),
            ..Player::default()
        });
        let known = |(player, entrant): (usize, &Entrant)| Some(Anchor { player, elo: entrant.anchor? });
        let anchors: Vec<Anchor> = entrants.iter().enumerate().filter_map(known).collect();
        let report = scoreboard.report(title, players.collect(), &anchors);
        report.map_err(|error| TournamentError::Settings(error.to_string()))
    }
}

/// An SPRT of the first player against the second.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtSettings {
    /// H0: Elo difference.
    pub elo0: f64,
    /// H1: Elo difference.
    pub elo1: f64,
    /// False positive rate.
    pub alpha: f64,
    /// False negative rate.
    pub beta: f64,
    /// Logistic or normalised Elo.
    pub model: EloModel,
}

impl SprtSettings {
    /// The SPRT before its first game.
    pub fn test(self) -> Result<Sprt, TournamentError> {
        let SprtSettings { elo0, elo1, alpha, beta, model } = self;
        Sprt::new(elo0, elo1, alpha, beta, model)
            .map_err(|error| TournamentError::Settings(error.to_string()))
    }
}

/// Openings and their order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningSettings {
    /// A file, or `built-in`.
    pub source: String,
    pub order: Order,
    /// Plies of each that are played; none is all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    pub count: usize,
    pub sha256: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Seed of everything random.
    pub seed: u64,
    pub format: Format,
    pub games: usize,
    pub ponder: bool,
    /// Time margin, in milliseconds.
    pub margin_ms: u64,
    /// Longest time without output where no clock runs, in milliseconds.
    pub stall_ms: u64,
    /// Longer games are drawn, in full moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
    /// Directories of tablebases for adjudication.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    pub openings: OpeningSettings,
    /// SPRT, which may end the match early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSettings>,
    /// Participants; results are from the first one's view.
    pub agents: Vec<Entrant>,
}

impl Settings {
    /// Whether results depend on wall-clock time; if not, the same seed gives the same games.
    pub fn is_timed(&self) -> bool {
        self.agents.iter().any(|agent| agent.time_control.is_timed())
    }

    /// The games to play.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.agents.len(), self.format, self.games, self.seed)
    }

    /// Checks the settings as a whole.
    pub fn check(&self) -> Result<(), TournamentError> {
        let refuse = |text: String| Err(TournamentError::Settings(text));
        if self.agents.len() < 2 {
            return refuse(format!("a match needs two agents, and {} is given", self.agents.len()));
        }
        if self.games == 0 {
            return refuse("a match of no games decides nothing".to_owned());
        }
        Entrant::check(&self.agents, self.sprt)?;
        if self.ponder && !self.is_timed() {
            return refuse("pondering needs a clock: with fixed nodes or depth it gains nothing".to_owned());
        }
        self.sequential_test().map(|_| ())
    }

    /// The SPRT before its first game, if there is one.
    pub fn sequential_test(&self) -> Result<Option<Sprt>, TournamentError> {
        self.sprt.map(SprtSettings::test).transpose()
    }

    /// How games are run, with tablebases of this machine.
    pub fn rules(&self) -> Result<Rules, TournamentError> {
        self.rules_with(tabia_search::syzygy::open_named)
    }

    /// How games are run; `open` opens the tablebases that decide games.
    pub fn rules_with(
        &self,
        open: impl Fn(&str) -> Result<Option<Tables>, String>,
    ) -> Result<Rules, TournamentError> {
        let tables = open(self.syzygy.as_deref().unwrap_or_default());
        Ok(Rules {
            adjudication: Adjudication {
                draw: self.draw,
                resign: self.resign,
                max_moves: self.max_moves,
                tables: tables.map_err(TournamentError::Settings)?,
            },
            time_margins: TimeMargins {
                margin: Duration::from_millis(self.margin_ms),
                stall: Duration::from_millis(self.stall_ms),
            },
            ponder: self.ponder,
        })
    }
}

impl Settings {
    /// Standings of the match, for tables and plots.
    pub fn standings(&self, scoreboard: &Scoreboard) -> Result<Standings, TournamentError> {
        let title = match self.agents.as_slice() {
            [first, second] => format!("{} against {}", first.name, second.name),
            agents => format!("{} agents, {}", agents.len(), self.format),
        };
        let mut standings = Entrant::standings(&self.agents, &title, scoreboard)?;
        standings.settings = self.in_words();
        Ok(standings)
    }

    /// The settings as text for reports.
    fn in_words(&self) -> Vec<(String, String)> {
        let mut rows = vec![
            ("games".to_owned(), format!("{} of each pairing, {}", self.games, self.format)),
            ("openings".to_owned(), format!("{} from {}", self.openings.count, self.openings.source)),
            ("seed".to_owned(), self.seed.to_string()),
        ];
        let time_controls: BTreeSet<String> =
            self.agents.iter().map(|agent| agent.time_control.to_string()).collect();
        rows.insert(1, ("limit".to_owned(), time_controls.into_iter().collect::<Vec<_>>().join(", ")));
        if let Some(DrawRule { from_move, moves, score_cp }) = self.draw {
            let text = format!("from move {from_move}, {moves} moves within {score_cp} centipawns");
            rows.push(("given drawn".to_owned(), text));
        }
        if let Some(ResignRule { moves, score_cp, one_sided }) = self.resign {
            let who = if one_sided { "the loser sees" } else { "both see" };
            let text = format!("{moves} moves in which {who} {score_cp} centipawns");
            rows.push(("given won".to_owned(), text));
        }
        rows.extend(self.syzygy.iter().map(|path| ("endgame tables".to_owned(), path.clone())));
        rows
    }
}

impl Entrant {
    /// Its agent spec, parsed.
    pub fn spec(&self) -> Result<AgentSpec, TournamentError> {
        self.spec
            .parse()
            .map_err(|error| TournamentError::Settings(format!("agent \"{}\": {error}", self.name)))
    }
}
