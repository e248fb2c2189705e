//! Ratings by matches: against Stockfish at known strengths if it is installed, else against our own engine's levels.

use std::time::Duration;

use tabia_arena::driver::PlayerFactory;
use tabia_arena::tournament::Format;
use tabia_arena::tournament::chess::chess_match::FinishedMatch;
use tabia_arena::tournament::chess::{
    ChessMatch, Concurrency, Entrant, OpeningSettings, Order, Origin, Settings, TimeControl,
};
use tabia_games::Openings;

use crate::context::{Interruptible, StepContext};
use crate::error::ReproduceError;

/// An engine that may be installed.
const STOCKFISH: &str = "uci(cmd=stockfish)";
/// `UCI_Elo` of Stockfish 15.1, and what that plays like on the scale of docs/strength.md.
const STOCKFISH_LEVELS: [(u32, f64); 4] = [(1350, 1320.0), (1500, 1480.0), (1800, 1970.0), (1950, 2355.0)];
/// Stockfish's nodes per move: a time would make it weaker on a busy machine. These levels choose their move among four lines at
/// depth 1 to 6, which took at most 4,553 nodes in 30 positions; nodes beyond that change nothing.
const STOCKFISH_NODES: u64 = 10_000;
/// Levels of our own engine.
const OWN_LEVELS: [u32; 4] = [900, 1200, 1500, 1800];
/// Time without output after which an engine counts as stalled.
const STALL: Duration = Duration::from_mins(1);

#[derive(Clone, Debug, PartialEq)]
pub struct Rating {
    pub elo: Option<f64>,
    /// Half-width of its 95% confidence interval.
    pub error: Option<f64>,
    /// Score in percent over all games.
    pub percent: f64,
    pub games: u64,
    /// How it was measured.
    pub how: String,
    pub note: String,
    /// Whether the opponents are random.
    pub varies: bool,
    /// The rating of the strongest opponent.
    pub strongest_opponent: f64,
}

/// Opponents of known rating.
struct Opponents {
    entrants: Vec<Entrant>,
    how: &'static str,
    note: &'static str,
    varies: bool,
}

fn opponents(has_stockfish: bool) -> Opponents {
    if has_stockfish {
        let entrants = STOCKFISH_LEVELS.map(|(level, elo)| Entrant {
            name: format!("Stockfish {level}"),
            spec: format!(
                "uci(cmd=stockfish,option.UCI_LimitStrength=true,option.UCI_Elo={level},option.Hash=1)"
            ),
            time_control: TimeControl::Nodes(STOCKFISH_NODES),
            anchor: Some(elo),
        });
        return Opponents {
            entrants: entrants.to_vec(),
            how: "Stockfish with UCI_Elo 1350, 1500, 1800 and 1950, 10,000 nodes a move",
            note: "The scale is docs/strength.md's: what those levels of Stockfish 15.1 play like among other engines, about CCRL's. Their mistakes are \
                   random, so that ratings vary a little; how busy the machine is does not matter.",
            varies: true,
        };
    }
    let entrants = OWN_LEVELS.map(|level| Entrant {
        name: format!("engine {level}"),
        spec: format!("engine(elo={level},hash=1)"),
        time_control: TimeControl::Own,
        anchor: Some(f64::from(level)),
    });
    Opponents {
        entrants: entrants.to_vec(),
        how: "our own engine at 900, 1200, 1500 and 1800, as no Stockfish is installed",
        note: "The scale is that of our engine's levels, which docs/strength.md measures. With Stockfish installed it is used instead.",
        varies: false,
    }
}

/// Rates an agent by matches against all opponents.
pub fn rate(spec: &str, work: &mut StepContext<'_>) -> Interruptible<Rating> {
    let Opponents { entrants, how, note, varies } = opponents(work.players.has(STOCKFISH));
    let games = work.extent.of(2, 10, 100);
    let opponents = work.extent.of(1, entrants.len(), entrants.len());
    let mut agents = vec![entrant(spec)];
    agents.extend(entrants.into_iter().take(opponents));
    let strongest_opponent = agents.iter().filter_map(|agent| agent.anchor).fold(0.0, f64::max);
    let Some(played) = play_match(agents, Format::Gauntlet, games, work)? else { return Ok(None) };
    let result = &played.result;
    let rating = result.ratings.players.iter().find(|rating| rating.player == 0);
    Ok(Some(Rating {
        elo: rating.and_then(|rating| rating.elo),
        error: rating.and_then(|rating| rating.elo_error_95),
        percent: 100.0 * result.players[0].points / result.players[0].games.max(1) as f64,
        games: result.players[0].games,
        how: format!("{games} games against each of {how}; built-in openings, each with both colours"),
        note: note.to_owned(),
        varies,
        strongest_opponent,
    }))
}

/// An entrant with the limits of its own options.
pub fn entrant(spec: &str) -> Entrant {
    Entrant { name: spec.to_owned(), spec: spec.to_owned(), time_control: TimeControl::Own, anchor: None }
}

/// A match that is not stored; `None` if stopped.
pub fn play_match(
    agents: Vec<Entrant>,
    format: Format,
    games: usize,
    work: &mut StepContext<'_>,
) -> Interruptible<FinishedMatch> {
    let settings = Settings {
        seed: 1,
        format,
        games,
        ponder: false,
        margin_ms: 0,
        stall_ms: STALL.as_millis() as u64,
        max_moves: Some(200),
        syzygy: None,
        draw: None,
        resign: None,
        openings: OpeningSettings {
            source: "built-in".to_owned(),
            order: Order::Random,
            plies: None,
            count: 0,
            sha256: String::new(),
        },
        sprt: None,
        agents,
    };
    let factory = PlayerFactory::new((work.players.catalogue)(), work.players.launcher.clone(), false, STALL);
    let chess_match = ChessMatch::new(settings, factory, &Openings::built_in(), None, &Origin::default())?;
    let (stop, tell) = (work.stop, &mut *work.tell);
    let concurrency = Concurrency { workers: work.threads, pinned: false };
    let played =
        chess_match.play(concurrency, None, stop, &mut |progress| tell(progress.finished, progress.total))?;
    if stop.is_stopped() {
        return Ok(None);
    }
    let result = &played.result;
    if result.crashes + result.illegal_moves > 0 {
        return Err(ReproduceError::Settings(format!(
            "{} games were lost by crashes or illegal moves of engines: such a match measures nothing",
            result.crashes + result.illegal_moves
        )));
    }
    Ok(Some(played))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_opponent_has_a_limit_of_time() {
        let (stockfish, own) = (opponents(true), opponents(false));
        assert!(stockfish.varies && stockfish.how.contains("10,000 nodes"), "{}", stockfish.how);
        assert!(!own.varies);
        let is_nodes = |entrant: &Entrant| entrant.time_control == TimeControl::Nodes(STOCKFISH_NODES);
        assert!(stockfish.entrants.iter().all(is_nodes));
        assert!(own.entrants.iter().all(|entrant| entrant.time_control == TimeControl::Own));
    }
}
