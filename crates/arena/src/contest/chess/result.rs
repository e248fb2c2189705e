//! What came of a match, ready for JSON.

use serde::Serialize;

use super::settings::Settings;
use crate::contest::runner::Ending;
use crate::contest::schedule::Schedule;
use crate::contest::standing::{Faults, Standing};
use crate::stats::{SprtReport, Summary, Tally};

/// The result of a match. Wins, losses and Elo are the first agent's, over all its games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchResult {
    /// What the agents are called; the first is the one whose view is taken.
    pub agents: Vec<String>,
    /// The first agent's results.
    #[serde(flatten)]
    pub summary: Summary,
    /// The sequential test, if one was asked for.
    pub sprt: Option<SprtReport>,
    /// Games lost by a move that is not legal, by anybody; [`MatchResult::players`] says by whom.
    pub illegal_moves: u64,
    /// Games lost on time.
    pub time_losses: u64,
    /// Games lost by a program that died, hung or spoke nonsense.
    pub crashes: u64,
    /// Games counted, of all pairings.
    pub games_played: usize,
    /// Games that were to be played.
    pub games_planned: usize,
    /// Why it ended.
    pub ending: &'static str,
    /// Half-moves in a game, on average, without the opening.
    pub mean_plies: Option<f64>,
    /// White's share of the points.
    pub white_share: Option<f64>,
    /// Each agent on its own.
    pub players: Vec<PlayerResult>,
    /// Each pairing on its own, from the view of its first agent.
    pub pairings: Vec<PairingResult>,
    /// Where the run is kept.
    pub run: Option<String>,
}

/// One agent's part in a match.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerResult {
    /// What it is called.
    pub name: String,
    /// Who it is.
    pub spec: String,
    /// How long it could think.
    pub limit: String,
    /// Games it played.
    pub games: u64,
    /// A point for a win, half for a draw.
    pub points: f64,
    /// What it did wrong.
    #[serde(flatten)]
    pub faults: Faults,
}

/// One pairing of a match.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairingResult {
    /// Whose view it is.
    pub agent: String,
    /// The other.
    pub opponent: String,
    /// How it went.
    #[serde(flatten)]
    pub summary: Summary,
}

impl MatchResult {
    /// What a standing amounts to.
    pub fn new(
        settings: &Settings,
        schedule: &Schedule,
        standing: &Standing,
        ending: Ending,
        run: Option<String>,
    ) -> MatchResult {
        let mut tallies = vec![Tally::default(); settings.agents.len()];
        for (pairing, (first, second)) in schedule.pairings().iter().enumerate() {
            let tally = standing.tally(pairing);
            tallies[*first] += tally;
            tallies[*second] += tally.flipped();
        }
        let name = |player: usize| settings.agents[player].name.clone();
        let players: Vec<PlayerResult> = settings
            .agents
            .iter()
            .enumerate()
            .map(|(index, agent)| PlayerResult {
                name: agent.name.clone(),
                spec: agent.spec.clone(),
                limit: agent.pace.to_string(),
                games: tallies[index].games(),
                points: tallies[index].points(),
                faults: standing.faults(index),
            })
            .collect();
        let pairings = schedule.pairings().iter().enumerate().map(|(pairing, (first, second))| PairingResult {
            agent: name(*first),
            opponent: name(*second),
            summary: standing.tally(pairing).summary(),
        });
        let sum = |of: fn(&Faults) -> u64| players.iter().map(|player| of(&player.faults)).sum();
        let games = standing.games();
        let mean = |total: f64| (games > 0).then(|| total / games as f64);
        MatchResult {
            agents: settings.agents.iter().map(|agent| agent.name.clone()).collect(),
            summary: tallies[0].summary(),
            sprt: standing.sprt().map(crate::stats::Sprt::report),
            illegal_moves: sum(|faults| faults.illegal_moves),
            time_losses: sum(|faults| faults.time_losses),
            crashes: sum(|faults| faults.crashes),
            games_played: games,
            games_planned: schedule.len(),
            ending: match ending {
                Ending::Complete => "complete",
                Ending::Decided => "decided",
                Ending::Interrupted => "interrupted",
            },
            mean_plies: mean(standing.plies() as f64),
            white_share: mean(standing.white_points()),
            pairings: pairings.collect(),
            players,
            run,
        }
    }
}
