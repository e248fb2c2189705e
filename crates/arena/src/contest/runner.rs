//! Plays a contest: workers take games in the order of the schedule, and one place hears how they ended.
//!
//! The thread that calls [`Contest::play`] writes the journal, counts, and tells the observer; workers, here or anywhere, only play. A
//! contest ends when all games are played, when its sequential test has decided, or when it is told to stop; games
//! that are being played then are dropped, and played again when the contest is resumed.

use std::time::{Duration, Instant};

use tabia_core::Stop;
use tabia_grid::{Earlier, Grid, Ledger, Local, Verdict};
use tabia_search::engine::STACK_BYTES;

use super::error::ContestError;
use super::journal::Journal;
use super::live::{Board, InFlight};
use super::schedule::{Fixture, Schedule};
use super::standing::Standing;
use super::table::Table;
use super::task::{GameTask, PlayedGame, Seated};
use tabia_games::record::GameRecord;

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
    /// How many at once, where they are played here.
    pub workers: usize,
    /// Where else they are played, if not here.
    pub grid: Option<&'a dyn Grid<GameTask>>,
    /// Ends it.
    pub stop: &'a Stop,
}

impl<T: Table> Contest<'_, T>
where
    T::Seats: Send,
{
    /// Plays every game that the journal has not, and counts all.
    pub fn play(
        &self,
        journal: &mut Journal,
        standing: &mut Standing,
        observer: &mut dyn Observer,
    ) -> Result<Ending, ContestError> {
        let blank = standing.clone();
        self.count(journal, standing)?;
        // Games of before may be taken back while others are played: then there is more to play.
        loop {
            let missing: Vec<usize> = (0..self.schedule.len()).filter(|game| !journal.has(*game)).collect();
            if missing.is_empty() || standing.is_decided() || self.stop.is_stopped() {
                break;
            }
            let tasks: Vec<GameTask> = missing.into_iter().map(|game| GameTask { game }).collect();
            if !self.play_games(&tasks, &blank, journal, standing, observer)? {
                break;
            }
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

    /// Plays games; whether others were taken back meanwhile.
    fn play_games(
        &self,
        tasks: &[GameTask],
        blank: &Standing,
        journal: &mut Journal,
        standing: &mut Standing,
        observer: &mut dyn Observer,
    ) -> Result<bool, ContestError> {
        let workers = self.workers.clamp(1, tasks.len());
        let board = Board::new(if self.grid.is_some() { 0 } else { workers });
        let written = Instant::now();
        let mut scorer = Scorer {
            contest: self,
            tasks,
            blank,
            journal,
            standing,
            observer,
            board: &board,
            written,
            retracted: false,
            trouble: None,
        };
        let played = if let Some(grid) = self.grid {
            grid.run(tasks, self.stop, &mut scorer)
        } else {
            let seated = |worker| -> Seated<'_, T> {
                let (seats, reporter) = (self.table.seats(worker), board.reporter(worker));
                Seated { table: self.table, schedule: self.schedule, seats, reporter }
            };
            let threads = Local::new(workers, STACK_BYTES, |worker| Box::new(seated(worker)));
            threads.run(tasks, self.stop, &mut scorer)
        };
        match scorer.trouble {
            Some(trouble) => Err(trouble),
            None => played.map(|()| scorer.retracted).map_err(ContestError::from),
        }
    }
}

/// Writes down and counts what is played.
struct Scorer<'a, T: Table> {
    contest: &'a Contest<'a, T>,
    tasks: &'a [GameTask],
    /// A standing without games.
    blank: &'a Standing,
    journal: &'a mut Journal,
    standing: &'a mut Standing,
    observer: &'a mut dyn Observer,
    board: &'a Board,
    written: Instant,
    /// Whether games of before were taken back.
    retracted: bool,
    trouble: Option<ContestError>,
}

impl<T: Table> Scorer<'_, T>
where
    T::Seats: Send,
{
    fn enter(&mut self, fixture: &Fixture, record: &GameRecord) -> Result<(), ContestError> {
        self.journal.add(fixture.game, record)?;
        self.contest.count(self.journal, self.standing)
    }

    /// Takes games back, and counts the others again.
    fn take_back(&mut self, games: &[usize]) -> Result<(), String> {
        self.journal.retract(games).map_err(|error| error.to_string())?;
        self.standing.clone_from(self.blank);
        self.contest.count(self.journal, self.standing).map_err(|error| error.to_string())
    }

    fn tell(&mut self, ended: Option<(&Fixture, &GameRecord)>) {
        self.observer.progress(&Progress {
            standing: self.standing,
            finished: self.journal.len(),
            total: self.contest.schedule.len(),
            board: self.board,
            ended,
        });
    }

    /// Whether there is anything left to play for.
    fn go_on(&mut self) -> bool {
        if self.written.elapsed() >= CHECKPOINT {
            let failed = self.observer.checkpoint(self.standing, self.journal).err();
            self.trouble = self.trouble.take().or(failed);
            self.written = Instant::now();
        }
        self.trouble.is_none() && !self.standing.is_decided()
    }
}

impl<T: Table> Ledger<GameTask> for Scorer<'_, T>
where
    T::Seats: Send,
{
    fn done(&mut self, place: usize, done: PlayedGame) -> Verdict {
        let fixture = self.contest.schedule.fixture(self.tasks[place].game);
        if done.game != fixture.game {
            return Verdict::Rejected(format!("it is game {}", done.game + 1));
        }
        if self.contest.grid.is_some()
            && let Err(why) = self.contest.table.check(&fixture, &done.record)
        {
            return Verdict::Rejected(why);
        }
        self.trouble = self.enter(&fixture, &done.record).err();
        self.tell(Some((&fixture, &done.record)));
        if self.go_on() { Verdict::Counted } else { Verdict::Enough }
    }

    fn retract(&mut self, places: &[usize]) -> Result<(), String> {
        let games: Vec<usize> = places.iter().map(|place| self.tasks[*place].game).collect();
        self.take_back(&games)
    }

    fn retract_earlier(&mut self, results: &[Earlier]) -> Result<(), String> {
        let game = |result: &Earlier| {
            let task = GameTask::of_id(&result.id);
            task.map(|task| task.game).ok_or_else(|| format!("\"{}\" is no game", result.id))
        };
        let games = results.iter().map(game).collect::<Result<Vec<usize>, String>>()?;
        self.retracted = true;
        self.take_back(&games)
    }

    fn tick(&mut self) -> bool {
        self.tell(None);
        self.go_on()
    }
}

fn unfinished(game: usize) -> ContestError {
    ContestError::Unwritable { game: game + 1, why: "it has no result".to_owned() }
}
