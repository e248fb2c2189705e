//! Plays a contest: workers take games in the order of the schedule, and one place hears how they ended.
//!
//! The thread that calls [`Contest::play`] writes the journal, counts, and tells the observer; workers only play. A
//! contest ends when all games are played, when its sequential test has decided, or when it is told to stop; games
//! that are being played then are dropped, and played again when the contest is resumed.

use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use tabia_core::Stop;
use tabia_search::engine::STACK_BYTES;

use super::error::ContestError;
use super::journal::Journal;
use super::live::{Board, InFlight};
use super::schedule::{Fixture, Schedule};
use super::standing::Standing;
use super::table::Table;
use crate::record::GameRecord;

/// How often the observer hears of games in progress, and the stop flag is looked at.
const TICK: Duration = Duration::from_millis(100);
/// How often what can be read from the journal is written out.
const CHECKPOINT: Duration = Duration::from_secs(30);

/// How a contest ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every game was played.
    Complete,
    /// The sequential test has its verdict.
    Decided,
    /// It was told to stop.
    Interrupted,
}

impl Ending {
    /// How a contest ended that stands so, when nothing more is played.
    pub fn of(standing: &Standing, schedule: &Schedule) -> Ending {
        if standing.is_decided() {
            Ending::Decided
        } else if standing.games() == schedule.len() {
            Ending::Complete
        } else {
            Ending::Interrupted
        }
    }
}

/// Where a contest stands.
pub struct Progress<'a> {
    /// What the games counted add up to.
    pub standing: &'a Standing,
    /// Games finished, in whatever order.
    pub finished: usize,
    /// Games of the schedule.
    pub total: usize,
    board: &'a Board,
    /// The game that has just ended, if one has.
    pub ended: Option<(&'a Fixture, &'a GameRecord)>,
}

impl Progress<'_> {
    /// Games being played.
    pub fn in_flight(&self) -> Vec<InFlight> {
        self.board.in_flight()
    }
}

/// Whoever wants to know.
pub trait Observer {
    /// Something happened, or a moment has passed.
    fn progress(&mut self, progress: &Progress<'_>);

    /// A good moment to write out what the journal has. Called at the end, too.
    fn checkpoint(&mut self, standing: &Standing, journal: &mut Journal) -> Result<(), ContestError>;
}

/// A contest about to be played.
pub struct Contest<'a, T> {
    /// Where games are played.
    pub table: &'a T,
    /// Which games.
    pub schedule: &'a Schedule,
    /// How many at once.
    pub workers: usize,
    /// Ends it.
    pub stop: &'a Stop,
}

/// A game that ended, was dropped, or could not be played.
type Played = (Fixture, Result<Option<GameRecord>, ContestError>);

impl<T: Table> Contest<'_, T> {
    /// Plays every game that the journal has not, and counts all.
    pub fn play(
        &self,
        journal: &mut Journal,
        standing: &mut Standing,
        observer: &mut dyn Observer,
    ) -> Result<Ending, ContestError> {
        self.count(journal, standing)?;
        let missing: Vec<usize> = (0..self.schedule.len()).filter(|game| !journal.has(*game)).collect();
        if !missing.is_empty() && !standing.is_decided() {
            self.play_games(missing, journal, standing, observer)?;
        }
        observer.checkpoint(standing, journal)?;
        Ok(Ending::of(standing, self.schedule))
    }

    /// Counts games whose turn has come, until the contest is decided.
    fn count(&self, journal: &mut Journal, standing: &mut Standing) -> Result<(), ContestError> {
        while !standing.is_decided()
            && journal.has(standing.games())
            && standing.games() < self.schedule.len()
        {
            let game = standing.games();
            let record = journal.read(game)?.ok_or_else(|| unfinished(game))?;
            let outcome = record.outcome.ok_or_else(|| unfinished(game))?;
            standing.count(self.schedule, &self.schedule.fixture(game), outcome, &record);
        }
        Ok(())
    }

    fn play_games(
        &self,
        missing: Vec<usize>,
        journal: &mut Journal,
        standing: &mut Standing,
        observer: &mut dyn Observer,
    ) -> Result<(), ContestError> {
        let workers = self.workers.clamp(1, missing.len());
        let board = Board::new(workers);
        let next = Mutex::new(missing.into_iter());
        let halt = Stop::new();
        thread::scope(|scope| {
            let (sender, ended) = mpsc::channel();
            for worker in 0..workers {
                let (sender, board, next, halt) = (sender.clone(), &board, &next, &halt);
                let started = thread::Builder::new()
                    .name(format!("worker {worker}"))
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || self.work(worker, next, board, halt, &sender));
                if let Err(error) = started {
                    halt.stop();
                    return Err(ContestError::Thread(error));
                }
            }
            drop(sender);
            // However this ends, the workers must not play on.
            let done = self.listen(&ended, &halt, &board, journal, standing, observer);
            halt.stop();
            done
        })
    }

    /// One worker: takes the next game until there is none.
    fn work(
        &self,
        worker: usize,
        next: &Mutex<std::vec::IntoIter<usize>>,
        board: &Board,
        halt: &Stop,
        ended: &Sender<Played>,
    ) {
        let mut seats = self.table.seats(worker);
        let reporter = board.reporter(worker);
        while !halt.is_stopped() {
            let game = next.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
            let Some(game) = game else { break };
            let fixture = self.schedule.fixture(game);
            let played = self.table.play(&mut seats, &fixture, halt, &reporter);
            reporter.end();
            let is_last = !matches!(played, Ok(Some(_)));
            if ended.send((fixture, played)).is_err() || is_last {
                break;
            }
        }
    }

    /// Writes and counts what the workers play.
    fn listen(
        &self,
        ended: &Receiver<Played>,
        halt: &Stop,
        board: &Board,
        journal: &mut Journal,
        standing: &mut Standing,
        observer: &mut dyn Observer,
    ) -> Result<(), ContestError> {
        let mut written = Instant::now();
        loop {
            let played = match ended.recv_timeout(TICK) {
                Ok((fixture, played)) => played?.map(|record| (fixture, record)),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            if let Some((fixture, record)) = &played {
                journal.add(fixture.game, record)?;
                self.count(journal, standing)?;
            }
            observer.progress(&Progress {
                standing,
                finished: journal.len(),
                total: self.schedule.len(),
                board,
                ended: played.as_ref().map(|(fixture, record)| (fixture, record)),
            });
            if self.stop.is_stopped() || standing.is_decided() {
                halt.stop();
            }
            if written.elapsed() >= CHECKPOINT {
                observer.checkpoint(standing, journal)?;
                written = Instant::now();
            }
        }
    }
}

fn unfinished(game: usize) -> ContestError {
    ContestError::Unwritable { game: game + 1, why: "it has no result".to_owned() }
}
