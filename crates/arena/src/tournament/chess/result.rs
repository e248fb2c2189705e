//! The result of a match as JSON.

use serde::Serialize;

use super::settings::{Entrant, Settings};
use crate::report::{Faults, Standings};
use crate::tournament::runner::Ending;
use crate::tournament::schedule::Schedule;
use tabia_stats::ratings::Ratings;
use tabia_stats::{SprtReport, Summary};

/// The result of a match. Wins, losses and Elo are the first agent's, over all its games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchResult {
    /// Names of the agents; results are from the first one's view.
    pub agents: Vec<String>,
    /// The first agent's results.
    #[serde(flatten)]
    pub summary: Summary,
    /// The SPRT, if there is one.
    pub sprt: Option<SprtReport>,
    /// Games lost by a move that is not legal, by anybody; [`MatchResult::players`] says by whom.
    pub illegal_moves: u64,
    /// Games lost on time.
    pub time_losses: u64,
    /// Games lost by a crash, a hang or a protocol error.
    pub crashes: u64,
    /// Games counted, of all pairings.
    pub games_played: u64,
    /// Games that were to be played.
    pub games_planned: usize,
    /// Why it ended: `complete`, `decided` or `interrupted`.
    pub ending: &'static str,
    /// Half-moves of a game on average, its opening among them.
    pub mean_plies: Option<f64>,
    /// Games Black won, drawn games, games White won.
    pub by_color: [u64; 3],
    /// Each agent on its own.
    pub players: Vec<PlayerResult>,
    /// Each pairing on its own, from the view of its first agent.
    pub crosstable: Vec<EncounterResult>,
    /// Ratings fitted to all results; players are numbered as in `agents`, from 0.
    pub ratings: Ratings,
    pub run: Option<String>,
}

/// The result of one agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerResult {
    pub name: String,
    pub spec: String,
    pub limit: String,
    pub games: u64,
    /// A point for a win, half for a draw.
    pub points: f64,
    /// Games lost by faults.
    #[serde(flatten)]
    pub faults: Faults,
}

/// One pairing of a match.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EncounterResult {
    /// The agent whose view it is.
    pub agent: String,
    pub opponent: String,
    #[serde(flatten)]
    pub summary: Summary,
}

/// A player of any game, as results name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerInfo {
    pub name: String,
    pub spec: String,
    pub limit: String,
}

impl From<&Entrant> for PlayerInfo {
    fn from(entrant: &Entrant) -> PlayerInfo {
        let Entrant { name, spec, time_control, .. } = entrant;
        PlayerInfo { name: name.clone(), spec: spec.clone(), limit: time_control.to_string() }
    }
}

impl MatchResult {
    /// The result of a match with these standings.
    pub fn new(
        settings: &Settings,
        schedule: &Schedule,
        standings: &Standings,
        ending: Ending,
        run: Option<String>,
    ) -> MatchResult {
        let player_infos: Vec<PlayerInfo> = settings.agents.iter().map(PlayerInfo::from).collect();
        MatchResult::of(&player_infos, schedule, standings, ending, run)
    }

    /// The same for any game.
    pub fn of(
        player_infos: &[PlayerInfo],
        schedule: &Schedule,
        standings: &Standings,
        ending: Ending,
        run: Option<String>,
    ) -> MatchResult {
        let players: Vec<PlayerResult> = player_infos
            .iter()
            .enumerate()
            .map(|(index, agent)| {
                let tally = standings.tally(index);
                PlayerResult {
                    name: agent.name.clone(),
                    spec: agent.spec.clone(),
                    limit: agent.limit.clone(),
                    games: tally.games(),
                    points: tally.points(),
                    faults: standings.players[index].faults,
                }
            })
            .collect();
        let crosstable = standings.pairings.iter().map(|score| EncounterResult {
            agent: player_infos[score.first].name.clone(),
            opponent: player_infos[score.second].name.clone(),
            summary: score.tally_of(score.first).summary(),
        });
        let sum = |of: fn(&Faults) -> u64| players.iter().map(|player| of(&player.faults)).sum();
        MatchResult {
            agents: player_infos.iter().map(|agent| agent.name.clone()).collect(),
            summary: standings.tally(0).summary(),
            sprt: standings.sprt.as_ref().map(|sprt| sprt.report),
            illegal_moves: sum(|faults| faults.illegal_moves),
            time_losses: sum(|faults| faults.time_losses),
            crashes: sum(|faults| faults.crashes),
            games_played: standings.games.games(),
            games_planned: schedule.len(),
            ending: match ending {
                Ending::Complete => "complete",
                Ending::Decided => "decided",
                Ending::Interrupted => "interrupted",
            },
            mean_plies: standings.games.mean_plies(),
            by_color: standings.games.white,
            crosstable: crosstable.collect(),
            ratings: standings.ratings.clone(),
            players,
            run,
        }
    }
}
