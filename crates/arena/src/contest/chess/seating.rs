//! The table at which chess is played: seats agents and engines, and hands them to the referee.

use shakmaty::{ByColor, Color};
use tabia_core::{AgentSpec, ChessGame, Outcome, Reason, Stop, seed};

use super::check;
use super::openings;
use super::pace::Pace;
use super::referee::{self, Played, Rules};
use super::settings::Settings;
use crate::contest::error::ContestError;
use crate::contest::live::Reporter;
use crate::contest::schedule::Fixture;
use crate::contest::table::Table;
use crate::driver::entries::{UCI, XBOARD};
use crate::driver::{Fault, Player, Roster, xboard};
use tabia_games::openings::Openings;
use tabia_games::record::GameRecord;

/// Seeds of the two players of a game come from its own, and differ.
const WHITE_SEED: u64 = 1;
const BLACK_SEED: u64 = 2;

/// Who plays, from where, and by which rules.
pub struct Seating {
    roster: Roster,
    entrants: Vec<(String, AgentSpec, Pace)>,
    starts: Vec<(Option<String>, ChessGame)>,
    /// The start of each round, by its number.
    rounds: Vec<usize>,
    rules: Rules,
    /// Tags of every game.
    tags: Vec<(String, String)>,
    /// Processors to keep workers on, one each.
    processors: Vec<usize>,
}

/// The players of one worker, as far as they are running.
pub struct Seats {
    processor: Option<usize>,
    players: Vec<Option<Box<dyn Player>>>,
}

/// Why an agent of this kind cannot play at this pace, if it cannot: known before it loses every game by it.
fn unfit(kind: &str, pace: Pace) -> Option<&'static str> {
    match (kind, pace) {
        (XBOARD, Pace::Clock(_)) => None,
        (XBOARD, pace) => xboard::unfit(&pace.limits()),
        (UCI, Pace::Own) => Some("an engine has no limit of its own; give it a clock, nodes or a depth"),
        _ => None,
    }
}

impl Seating {
    /// Makes ready. Everything that can be known to be wrong is found here: specs, openings, endgame tables.
    pub fn new(settings: &Settings, roster: Roster, openings: &Openings) -> Result<Seating, ContestError> {
        let entrants = settings
            .agents
            .iter()
            .map(|agent| {
                let spec = agent.spec()?;
                roster.check(&spec).map_err(|error| ContestError::Settings(error.to_string()))?;
                if let Some(why) = unfit(&spec.name, agent.pace) {
                    return Err(ContestError::Settings(format!("{}: {why}", agent.name)));
                }
                Ok((agent.name.clone(), spec, agent.pace))
            })
            .collect::<Result<_, ContestError>>()?;
        let starts: Vec<_> = openings.iter().map(|opening| (opening.name.clone(), opening.game())).collect();
        let rounds = settings.schedule().rounds();
        Ok(Seating {
            roster,
            entrants,
            rounds: openings::sequence(starts.len(), rounds, settings.openings.order, settings.seed),
            starts,
            rules: settings.rules()?,
            tags: Vec::new(),
            processors: Vec::new(),
        })
    }

    /// With these tags in every game.
    #[must_use]
    pub fn with_tags(mut self, tags: Vec<(String, String)>) -> Seating {
        self.tags = tags;
        self
    }

    /// With each worker and its players kept on a processor of its own, as far as there are enough.
    #[must_use]
    pub fn pinned(mut self, processors: Vec<usize>) -> Seating {
        self.processors = processors;
        self
    }

    /// Starts every player once, to find out whether it can be.
    pub fn try_players(&self) -> Result<(), ContestError> {
        for (name, spec, _) in &self.entrants {
            let seated = self.roster.seat(spec);
            seated.map_err(|fault| ContestError::Player { player: name.clone(), why: fault.detail })?;
        }
        Ok(())
    }

    fn seat<'a>(
        &self,
        seats: &'a mut [Option<Box<dyn Player>>],
        processor: Option<usize>,
        fixture: &Fixture,
    ) -> Result<ByColor<&'a mut dyn Player>, (Color, Fault)> {
        for (color, who) in [(Color::White, fixture.white), (Color::Black, fixture.black)] {
            if seats[who].is_none() {
                let mut player = self.roster.seat(&self.entrants[who].1).map_err(|fault| (color, fault))?;
                if let Some(processor) = processor {
                    player.pin(processor);
                }
                seats[who] = Some(player);
            }
        }
        let both = seats.get_disjoint_mut([fixture.white, fixture.black]).ok();
        let Some([Some(white), Some(black)]) = both else {
            unreachable!("two different players were just seated")
        };
        Ok(ByColor { white: &mut **white, black: &mut **black })
    }

    fn finished(&self, mut record: GameRecord, fixture: &Fixture, opening: Option<&str>) -> GameRecord {
        record.white.clone_from(&self.entrants[fixture.white].0);
        record.black.clone_from(&self.entrants[fixture.black].0);
        let round = format!("{}.{}", fixture.round + 1, 1 + usize::from(fixture.is_return));
        record.tags.clone_from(&self.tags);
        record.tags.push(("Round".to_owned(), round));
        if let Some(name) = opening {
            record.tags.push(("Opening".to_owned(), name.to_owned()));
        }
        let paces = [fixture.white, fixture.black].map(|player| self.entrants[player].2);
        match paces {
            [white, black] if white == black => record.tags.extend(time_control("TimeControl", white)),
            [white, black] => {
                record.tags.extend(time_control("WhiteTimeControl", white));
                record.tags.extend(time_control("BlackTimeControl", black));
            }
        }
        record
    }
}

fn time_control(tag: &str, pace: Pace) -> Option<(String, String)> {
    match pace {
        Pace::Clock(control) => Some((tag.to_owned(), control.to_string())),
        _ => None,
    }
}

impl Table for Seating {
    type Seats = Seats;

    fn seats(&self, worker: usize) -> Seats {
        let processor = self.processors.get(worker).copied();
        if let Some(processor) = processor {
            pin_this_thread(processor);
        }
        Seats { processor, players: self.entrants.iter().map(|_| None).collect() }
    }

    fn play(
        &self,
        seats: &mut Seats,
        fixture: &Fixture,
        stop: &Stop,
        report: &Reporter<'_>,
    ) -> Result<Option<GameRecord>, ContestError> {
        let (opening, game) = &self.starts[self.rounds[fixture.round]];
        let moves = game.moves().iter().map(|m| game.write_move(*m)).collect();
        report.begin(*fixture, referee::starting_fen(game), moves);
        let finished = |record| Ok(Some(self.finished(record, fixture, opening.as_deref())));
        let players = match self.seat(&mut seats.players, seats.processor, fixture) {
            Ok(players) => players,
            Err((color, fault)) => {
                let outcome = Outcome::win(color.other(), Reason::Fault);
                return finished(referee::unplayed(game, outcome, fault.detail));
            }
        };
        let paces = ByColor { white: self.entrants[fixture.white].2, black: self.entrants[fixture.black].2 };
        let seeds = ByColor {
            white: seed::derive(fixture.seed, WHITE_SEED),
            black: seed::derive(fixture.seed, BLACK_SEED),
        };
        let played = referee::play(players, game.clone(), paces, &self.rules, seeds, stop, report);
        let Some(Played { record, broken }) = played else { return Ok(None) };
        for (color, who) in [(Color::White, fixture.white), (Color::Black, fixture.black)] {
            if *broken.get(color) {
                seats.players[who] = None;
            }
        }
        finished(record)
    }

    fn check(&self, fixture: &Fixture, record: &GameRecord) -> Result<(), String> {
        let (opening, game) = &self.starts[self.rounds[fixture.round]];
        let paces = ByColor { white: self.entrants[fixture.white].2, black: self.entrants[fixture.black].2 };
        let named = self.finished(GameRecord::default(), fixture, opening.as_deref());
        if (&record.white, &record.black, &record.tags) != (&named.white, &named.black, &named.tags) {
            return Err("its players or tags are not the game's".to_owned());
        }
        check::check(game, &self.rules, paces, record)
    }
}

#[cfg(target_os = "linux")]
fn pin_this_thread(processor: usize) {
    let mut set = rustix::thread::CpuSet::new();
    set.set(processor);
    // Not being pinned costs some evenness and nothing else.
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

/// The processors this process may run on: nobody knows here.
#[cfg(not(target_os = "linux"))]
pub fn processors() -> Vec<usize> {
    Vec::new()
}
