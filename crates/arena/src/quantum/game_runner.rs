//! Plays single games of quantum chess: lets agents choose, measures, and records the game.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use rand::Rng;
use shakmaty::Color;
use tabia_core::play::{self, Players};
use tabia_core::seed::{self, Random};
use tabia_core::{
    Agent, AgentSpec, Catalogue, Game, Limits, Options, Outcome, Reason, SearchInfo, Stop, Turn,
};
use tabia_games::record::{GameRecord, Ply, Variant};
use tabia_quantum::{Action, QuantumGame, perft};

use super::settings::Settings;
use crate::tournament::chess::TimeControl;
use crate::tournament::live::GameReporter;
use crate::tournament::{GameRunner, Pairing, TournamentError};

/// For agents that would otherwise think until they are stopped.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// Everything random about a game comes from its seed, or about its opening from the round's, each from a part of its own.
const OPENING: u64 = 1 << 32;
const WHITE_SEED: u64 = 1;
const BLACK_SEED: u64 = 2;
/// Tags of a game's record.
pub const SEED: &str = "Seed";
pub const MAX_BRANCHES: &str = "MostBranches";
pub const MEASUREMENTS: &str = "Measurements";

/// An agent as a worker keeps it from game to game.
type Player = Box<dyn Agent<QuantumGame>>;

/// Who plays, and from where.
pub struct QuantumGameRunner {
    catalogue: Catalogue<QuantumGame>,
    entrants: Vec<(String, AgentSpec, Limits<Action>)>,
    opening_plies: u32,
    /// Where games start, by round; none is the usual start.
    positions: Vec<QuantumGame>,
    /// Whether time decides anything.
    timed: bool,
    seed: u64,
}

impl QuantumGameRunner {
    /// Builds every agent once, so that invalid specs are found before the match.
    pub fn new(
        settings: &Settings,
        catalogue: Catalogue<QuantumGame>,
    ) -> Result<QuantumGameRunner, TournamentError> {
        let mut entrants = Vec::new();
        for agent in &settings.agents {
            let refused = |error: &dyn std::fmt::Display| {
                TournamentError::Settings(format!("agent \"{}\": {error}", agent.name))
            };
            let spec = agent.spec()?;
            let (entry, options) = catalogue.check(&spec).map_err(|error| refused(&error))?;
            (entry.build)(&options).map_err(|error| refused(&error))?;
            entrants.push((agent.name.clone(), spec, limits(agent.time_control, &options)));
        }
        let timed = entrants.iter().any(|(_, _, limits)| limits.movetime.is_some());
        let (opening_plies, seed) = (settings.opening_plies, settings.seed);
        let read = |text: &String| {
            text.parse::<QuantumGame>()
                .map_err(|error| TournamentError::Settings(format!("position \"{text}\": {error}")))
        };
        let positions = settings.positions.iter().map(read).collect::<Result<_, _>>()?;
        Ok(QuantumGameRunner { catalogue, entrants, opening_plies, positions, timed, seed })
    }

    /// Where the games of a round start.
    fn start(&self, round: usize) -> QuantumGame {
        match self.positions.len() {
            0 => QuantumGame::default(),
            count => self.positions[round % count].clone(),
        }
    }

    /// The opening of a round: a few random classical plies; one that would end the game or need a measurement ends the opening.
    fn opening(&self, round: usize) -> (QuantumGame, Vec<Ply>) {
        let mut random = seed::random(seed::derive(self.seed, OPENING + round as u64));
        let (mut game, mut plies) = (self.start(round), Vec::new());
        for _ in 0..self.opening_plies {
            let moves = perft::moves(&game, true);
            let m = moves[random.random_range(0..moves.len())];
            let mut next = game.clone();
            next.apply(Action::Move(m));
            if !matches!(next.turn(), Turn::Player(_)) {
                break;
            }
            plies.push(Ply { opening: true, ..Ply::of(game.write_move(m)) });
            game = next;
        }
        (game, plies)
    }
}

/// How long a player thinks about a move. One that bounds itself is left to it.
fn limits(time_control: TimeControl, options: &Options) -> Limits<Action> {
    match time_control {
        TimeControl::Nodes(nodes) => Limits::nodes(nodes),
        TimeControl::MoveTime(time) => Limits::movetime(time),
        // Neither random nor greedy look at limits; a search without a number of simulations needs one.
        _ if options.integer("simulations") == Some(0) => Limits::movetime(DEFAULT_TIME),
        _ => Limits::default(),
    }
}

/// Why a game did not end by its rules.
enum GameAborted {
    Stopped,
    Forfeit { loser: Color, reason: Reason, why: String },
}

impl GameRunner for QuantumGameRunner {
    type WorkerPlayers = Vec<Option<Player>>;

    fn worker_players(&self, _worker: usize) -> Self::WorkerPlayers {
        self.entrants.iter().map(|_| None).collect()
    }

    fn play(
        &self,
        worker_players: &mut Self::WorkerPlayers,
        pairing: &Pairing,
        stop: &Stop,
        report: &GameReporter<'_>,
    ) -> Result<Option<GameRecord>, TournamentError> {
        let sides = [(pairing.white, WHITE_SEED), (pairing.black, BLACK_SEED)];
        for (who, part) in sides {
            let (name, spec, _) = &self.entrants[who];
            if worker_players[who].is_none() {
                let built = self.catalogue.build(spec);
                let built = built
                    .map_err(|why| TournamentError::Player { player: name.clone(), why: why.to_string() });
                worker_players[who] = Some(built?);
            }
            if let Some(player) = &mut worker_players[who] {
                player.new_game();
                player.reseed(seed::derive(pairing.seed, part));
            }
        }
        let (mut game, plies) = self.opening(pairing.round);
        let start = (!self.positions.is_empty()).then(|| self.start(pairing.round).to_string());
        report.begin(*pairing, start.clone(), plies.iter().map(|ply| ply.action.clone()).collect());
        let mut players = Recorded {
            runner: self,
            pairing,
            agents: &mut *worker_players,
            random: seed::random(pairing.seed),
            plies,
            max_branches: 1,
            info: None,
            report,
            stop,
        };
        let outcome = play::play(&mut game, &mut players);
        let Recorded { plies, max_branches, .. } = players;
        let (outcome, detail) = match outcome {
            Ok(outcome) => (outcome, None),
            Err(GameAborted::Stopped) => return Ok(None),
            Err(GameAborted::Forfeit { loser, reason, why }) => {
                worker_players[loser.fold_wb(pairing.white, pairing.black)] = None;
                (Outcome::win(loser.other(), reason), Some(why))
            }
        };
        let measured: usize = plies.iter().map(|ply| signs(&ply.action)).sum();
        let round = format!("{}.{}", pairing.round + 1, 1 + usize::from(pairing.is_return));
        Ok(Some(GameRecord {
            variant: Variant::Quantum,
            white: self.entrants[pairing.white].0.clone(),
            black: self.entrants[pairing.black].0.clone(),
            start,
            plies,
            outcome: Some(outcome),
            detail,
            tags: vec![
                ("Event".to_owned(), "Tabia match".to_owned()),
                ("Round".to_owned(), round),
                (SEED.to_owned(), pairing.seed.to_string()),
                (tabia_games::replay::RULES.to_owned(), game.rules().number().to_string()),
                (MAX_BRANCHES.to_owned(), max_branches.to_string()),
                (MEASUREMENTS.to_owned(), measured.to_string()),
            ],
        }))
    }
}

/// The players of a game, and its record so far.
struct Recorded<'a> {
    runner: &'a QuantumGameRunner,
    pairing: &'a Pairing,
    agents: &'a mut [Option<Player>],
    /// Draws the results of measurements.
    random: Random,
    plies: Vec<Ply>,
    max_branches: usize,
    /// The last line that the side to move reported, and how long it thought.
    info: Option<(Option<SearchInfo<Action>>, Duration)>,
    report: &'a GameReporter<'a>,
    stop: &'a Stop,
}

impl Recorded<'_> {
    fn unless_stopped(&self) -> Result<(), GameAborted> {
        if self.stop.is_stopped() { Err(GameAborted::Stopped) } else { Ok(()) }
    }
}

impl Players<QuantumGame> for Recorded<'_> {
    type Error = GameAborted;

    fn choose(
        &mut self,
        game: &QuantumGame,
        turn: Color,
    ) -> Result<ControlFlow<Outcome, Action>, GameAborted> {
        self.unless_stopped()?;
        let who = turn.fold_wb(self.pairing.white, self.pairing.black);
        let Some(agent) = self.agents[who].as_mut() else { unreachable!("both were just built") };
        let (begun, mut last) = (Instant::now(), None);
        let limits = &self.runner.entrants[who].2;
        let chosen = agent.choose(game, limits, self.stop, &mut |info| last = Some(info.clone()));
        self.unless_stopped()?;
        self.info = Some((last, begun.elapsed()));
        let forfeit = |reason, why| GameAborted::Forfeit { loser: turn, reason, why };
        match chosen {
            Ok(action @ Action::Move(_)) => Ok(ControlFlow::Continue(action)),
            Ok(other) => Err(forfeit(Reason::IllegalMove, format!("{other:?} is no move"))),
            Err(error) => Err(forfeit(error.reason(), error.to_string())),
        }
    }

    /// Plays a move with all that it measures.
    fn apply(&mut self, game: &mut QuantumGame, action: Action, turn: Color) -> Result<(), GameAborted> {
        let Action::Move(m) = action else { unreachable!("only moves are chosen") };
        let played = game.play(m, &mut self.random).map_err(|error| GameAborted::Forfeit {
            loser: turn,
            reason: Reason::IllegalMove,
            why: error.to_string(),
        })?;
        debug_assert!(game.outcome().is_some() || game.side_to_move() != turn);
        let (info, took) = self.info.take().unwrap_or_default();
        let ply = Ply {
            score: info.as_ref().map(|info| info.score),
            depth: info.as_ref().map(|info| info.depth),
            nodes: info.as_ref().map(|info| info.nodes),
            time_ms: self.runner.timed.then_some(took.as_millis() as u64),
            comment: (!played.told.is_empty()).then(|| played.told.join("; ")),
            ..Ply::of(played.text)
        };
        self.report.played(&ply.action, ply.score, None);
        self.plies.push(ply);
        self.max_branches = self.max_branches.max(game.branches().len());
        Ok(())
    }
}

/// Measurements of a ply, by their signs.
fn signs(ply: &str) -> usize {
    ply.chars().filter(|c| matches!(c, '+' | '-')).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_are_counted_by_their_signs() {
        for (ply, count) in [("b1~c3", 0), ("d1d5-", 1), ("h5h8+-", 2)] {
            assert_eq!(signs(ply), count, "{ply}");
        }
    }

    #[test]
    fn both_games_of_a_pair_have_the_same_opening() {
        let settings = Settings {
            seed: 3,
            format: crate::tournament::Format::RoundRobin,
            games: 2,
            opening_plies: 4,
            positions: Vec::new(),
            sprt: None,
            agents: Vec::new(),
        };
        let runner = QuantumGameRunner::new(&settings, tabia_quantum::agents::catalogue()).unwrap();
        let (first, second) = (runner.opening(0), runner.opening(1));
        assert_eq!(first.0, runner.opening(0).0);
        assert_eq!(first.1.len(), 4);
        assert_ne!(first.1, second.1);
    }

    #[test]
    fn given_positions_are_started_from_in_their_order() {
        let texts = [
            "4k3/8/8/8/8/8/8/3QK3 w - - 0 1",
            "w 1 2: 1*7k/8/5n2/8/8/8/8/3Q3K - - + 1*7k/8/8/3n4/8/8/8/3Q3K - -",
        ];
        let settings = Settings {
            seed: 3,
            format: crate::tournament::Format::RoundRobin,
            games: 2,
            opening_plies: 0,
            positions: texts.map(str::to_owned).to_vec(),
            sprt: None,
            agents: Vec::new(),
        };
        let runner = QuantumGameRunner::new(&settings, tabia_quantum::agents::catalogue()).unwrap();
        for round in 0..4 {
            assert_eq!(runner.opening(round), (texts[round % 2].parse().unwrap(), Vec::new()));
        }
        let refused = |text: &str| {
            let wrong = Settings { positions: vec![text.to_owned()], ..settings.clone() };
            QuantumGameRunner::new(&wrong, tabia_quantum::agents::catalogue()).err().unwrap().to_string()
        };
        assert!(refused("w 0 1: 0*7k/8/8/8/8/8/8/7K - -").contains("its weight is 0"));
    }
}
