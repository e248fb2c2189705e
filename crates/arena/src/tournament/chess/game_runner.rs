//! Plays single games of chess: creates agents and engines, and passes them to the referee.

use shakmaty::{ByColor, Color};
use tabia_core::{AgentSpec, ChessGame, Outcome, Reason, Stop, seed};

use super::check;
use super::openings;
use super::referee::{self, FinishedGame, Rules};
use super::settings::Settings;
use super::time_control::TimeControl;
use crate::driver::entries::{UCI, XBOARD};
use crate::driver::{Fault, Player, PlayerFactory, xboard};
use crate::tournament::error::TournamentError;
use crate::tournament::game_runner::GameRunner;
use crate::tournament::live::GameReporter;
use crate::tournament::schedule::Pairing;
use tabia_games::openings::Openings;
use tabia_games::record::GameRecord;

/// Seeds of the two players of a game come from its own, and differ.
const WHITE_SEED: u64 = 1;
const BLACK_SEED: u64 = 2;

/// Participants, openings and rules of a match.
pub struct ChessGameRunner {
    factory: PlayerFactory,
    entrants: Vec<(String, AgentSpec, TimeControl)>,
    starts: Vec<(Option<String>, ChessGame)>,
    /// The opening of each round, by its number.
    rounds: Vec<usize>,
    rules: Rules,
    /// PGN tags of every game.
    tags: Vec<(String, String)>,
    /// Processors that workers are pinned to, one each.
    processors: Vec<usize>,
}

/// The players of one worker, as far as they are running.
pub struct WorkerPlayers {
    processor: Option<usize>,
    players: Vec<Option<Box<dyn Player>>>,
}

/// Why an agent of this kind cannot play with this time control, if it cannot: known before it loses every game by it.
fn unsupported_limits(kind: &str, time_control: TimeControl) -> Option<&'static str> {
    match (kind, time_control) {
        (XBOARD, TimeControl::Clock(_)) => None,
        (XBOARD, time_control) => xboard::unsupported_limits(&time_control.limits()),
        (UCI, TimeControl::Own) => {
            Some("an engine has no limit of its own; give it a clock, nodes or a depth")
        }
        _ => None,
    }
}

impl ChessGameRunner {
    /// Prepares a match; errors in specs and time controls are found here.
    pub fn new(
        settings: &Settings,
        rules: Rules,
        factory: PlayerFactory,
        openings: &Openings,
    ) -> Result<ChessGameRunner, TournamentError> {
        let entrants = settings
            .agents
            .iter()
            .map(|agent| {
                let spec = agent.spec()?;
                factory.check(&spec).map_err(|error| TournamentError::Settings(error.to_string()))?;
                if let Some(why) = unsupported_limits(&spec.name, agent.time_control) {
                    return Err(TournamentError::Settings(format!("{}: {why}", agent.name)));
                }
                Ok((agent.name.clone(), spec, agent.time_control))
            })
            .collect::<Result<_, TournamentError>>()?;
        let starts: Vec<_> = openings.iter().map(|opening| (opening.name.clone(), opening.game())).collect();
        let rounds = settings.schedule().rounds();
        Ok(ChessGameRunner {
            factory,
            entrants,
            rounds: openings::sequence(starts.len(), rounds, settings.openings.order, settings.seed),
            starts,
            rules,
            tags: Vec::new(),
            processors: Vec::new(),
        })
    }

    /// With these tags in every game.
    #[must_use]
    pub fn with_tags(mut self, tags: Vec<(String, String)>) -> ChessGameRunner {
        self.tags = tags;
        self
    }

    /// With each worker and its players pinned to a processor of its own, as far as there are enough.
    #[must_use]
    pub fn pinned(mut self, processors: Vec<usize>) -> ChessGameRunner {
        self.processors = processors;
        self
    }

    /// Starts every player once, to find out whether it can be started.
    pub fn try_players(&self) -> Result<(), TournamentError> {
        for (name, spec, _) in &self.entrants {
            let created = self.factory.create(spec);
            created.map_err(|fault| TournamentError::Player { player: name.clone(), why: fault.detail })?;
        }
        Ok(())
    }

    fn players_of<'a>(
        &self,
        worker_players: &'a mut [Option<Box<dyn Player>>],
        processor: Option<usize>,
        pairing: &Pairing,
    ) -> Result<ByColor<&'a mut dyn Player>, (Color, Fault)> {
        for (color, who) in [(Color::White, pairing.white), (Color::Black, pairing.black)] {
            if worker_players[who].is_none() {
                let mut player =
                    self.factory.create(&self.entrants[who].1).map_err(|fault| (color, fault))?;
                if let Some(processor) = processor {
                    player.pin(processor);
                }
                worker_players[who] = Some(player);
            }
        }
        let both = worker_players.get_disjoint_mut([pairing.white, pairing.black]).ok();
        let Some([Some(white), Some(black)]) = both else {
            unreachable!("two different players were just created")
        };
        Ok(ByColor { white: &mut **white, black: &mut **black })
    }

    fn finished(&self, mut record: GameRecord, pairing: &Pairing, opening: Option<&str>) -> GameRecord {
        record.white.clone_from(&self.entrants[pairing.white].0);
        record.black.clone_from(&self.entrants[pairing.black].0);
        let round = format!("{}.{}", pairing.round + 1, 1 + usize::from(pairing.is_return));
        record.tags.clone_from(&self.tags);
        record.tags.push(("Round".to_owned(), round));
        if let Some(name) = opening {
            record.tags.push(("Opening".to_owned(), name.to_owned()));
        }
        let time_controls = [pairing.white, pairing.black].map(|player| self.entrants[player].2);
        match time_controls {
            [white, black] if white == black => record.tags.extend(time_control_tag("TimeControl", white)),
            [white, black] => {
                record.tags.extend(time_control_tag("WhiteTimeControl", white));
                record.tags.extend(time_control_tag("BlackTimeControl", black));
            }
        }
        record
    }
}

fn time_control_tag(tag: &str, time_control: TimeControl) -> Option<(String, String)> {
    match time_control {
        TimeControl::Clock(control) => Some((tag.to_owned(), control.to_string())),
        _ => None,
    }
}

impl GameRunner for ChessGameRunner {
    type WorkerPlayers = WorkerPlayers;

    fn worker_players(&self, worker: usize) -> WorkerPlayers {
        let processor = self.processors.get(worker).copied();
        if let Some(processor) = processor {
            pin_this_thread(processor);
        }
        WorkerPlayers { processor, players: self.entrants.iter().map(|_| None).collect() }
    }

    fn play(
        &self,
        worker_players: &mut WorkerPlayers,
        pairing: &Pairing,
        stop: &Stop,
        report: &GameReporter<'_>,
    ) -> Result<Option<GameRecord>, TournamentError> {
        let (opening, game) = &self.starts[self.rounds[pairing.round]];
        let moves = game.moves().iter().map(|m| game.write_move(*m)).collect();
        report.begin(*pairing, referee::starting_fen(game), moves);
        let finished = |record| Ok(Some(self.finished(record, pairing, opening.as_deref())));
        let players = match self.players_of(&mut worker_players.players, worker_players.processor, pairing) {
            Ok(players) => players,
            Err((color, fault)) => {
                let outcome = Outcome::win(color.other(), Reason::Fault);
                return finished(referee::unplayed(game, outcome, fault.detail));
            }
        };
        let time_controls =
            ByColor { white: self.entrants[pairing.white].2, black: self.entrants[pairing.black].2 };
        let seeds = ByColor {
            white: seed::derive(pairing.seed, WHITE_SEED),
            black: seed::derive(pairing.seed, BLACK_SEED),
        };
        let played = referee::play(players, game.clone(), time_controls, &self.rules, seeds, stop, report);
        let Some(FinishedGame { record, needs_restart }) = played else { return Ok(None) };
        for (color, who) in [(Color::White, pairing.white), (Color::Black, pairing.black)] {
            if *needs_restart.get(color) {
                worker_players.players[who] = None;
            }
        }
        finished(record)
    }

    fn check(&self, pairing: &Pairing, record: &GameRecord) -> Result<(), String> {
        let (opening, game) = &self.starts[self.rounds[pairing.round]];
        let time_controls =
            ByColor { white: self.entrants[pairing.white].2, black: self.entrants[pairing.black].2 };
        let named = self.finished(GameRecord::default(), pairing, opening.as_deref());
        if (&record.white, &record.black, &record.tags) != (&named.white, &named.black, &named.tags) {
            return Err("its players or tags are not the game's".to_owned());
        }
        check::check(game, &self.rules, time_controls, record)
    }
}

#[cfg(target_os = "linux")]
fn pin_this_thread(processor: usize) {
    let mut set = rustix::thread::CpuSet::new();
    set.set(processor);
    // Without pinning, times vary a little more; nothing else changes.
    let _ = rustix::thread::sched_setaffinity(None, &set);
}

#[cfg(not(target_os = "linux"))]
fn pin_this_thread(_processor: usize) {}

/// The processors this process may run on.
#[cfg(target_os = "linux")]
pub fn processors() -> Vec<usize> {
    let allowed = rustix::thread::sched_getaffinity(None);
    allowed
        .map(|set| (0..rustix::thread::CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)).collect())
        .unwrap_or_default()
}

/// The processors this process may run on: unknown on this system.
#[cfg(not(target_os = "linux"))]
pub fn processors() -> Vec<usize> {
    Vec::new()
}
