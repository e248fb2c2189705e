//! Plays a tournament: workers take games in the order of the schedule, and one thread collects the results.
//!
//! The thread that calls [`Tournament::play`] writes the journal, counts results and notifies the observer; workers, local or
//! remote, only play. A tournament ends when all games are played, when its SPRT has decided, or when it is stopped; games in
//! progress are then dropped, and played again when the tournament is resumed.

use std::time::{Duration, Instant};

use tabia_core::Stop;
use tabia_grid::{EarlierResult, Grid, Ledger, Local, Verdict};
use tabia_search::engine::STACK_BYTES;

use super::error::TournamentError;
use super::game_runner::GameRunner;
use super::journal::Journal;
use super::live::{GameInProgress, LiveGames};
use super::schedule::{Pairing, Schedule};
use super::scoreboard::Scoreboard;
use super::task::{GameTask, LocalExecutor, PlayedGame};
use tabia_games::record::GameRecord;

/// Interval between calls of [`Observer::checkpoint`].
const CHECKPOINT: Duration = Duration::from_secs(30);

/// How a tournament ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every game was played.
    Complete,
    /// The SPRT has accepted a hypothesis.
    Decided,
    /// It was stopped.
    Interrupted,
}

impl Ending {
    /// The ending of a tournament with this scoreboard when no more games are played.
    pub fn of(scoreboard: &Scoreboard, schedule: &Schedule) -> Ending {
        if scoreboard.is_decided() {
            Ending::Decided
        } else if scoreboard.games() == schedule.len() {
            Ending::Complete
        } else {
            Ending::Interrupted
        }
    }
}

/// The state of a tournament.
pub struct Progress<'a> {
    /// Results of the games counted so far.
    pub scoreboard: &'a Scoreboard,
    /// Games finished, in whatever order.
    pub finished: usize,
    /// Games of the schedule.
    pub total: usize,
    live_games: &'a LiveGames,
    /// The game that has just ended, if one has.
    pub ended: Option<(&'a Pairing, &'a GameRecord)>,
}

impl Progress<'_> {
    pub fn games_in_progress(&self) -> Vec<GameInProgress> {
        self.live_games.games_in_progress()
    }
}

/// Receives the progress of a tournament.
pub trait Observer {
    /// Called when a game ends, and at short intervals.
    fn progress(&mut self, progress: &Progress<'_>);

    /// Called at intervals, and at the end, to write files from the journal.
    fn checkpoint(&mut self, scoreboard: &Scoreboard, journal: &mut Journal) -> Result<(), TournamentError>;
}

/// A tournament about to be played.
pub struct Tournament<'a, T> {
    /// Plays single games.
    pub runner: &'a T,
    /// All games.
    pub schedule: &'a Schedule,
    /// Games at once, if they are played on this machine.
    pub workers: usize,
    /// The grid that plays the games; none plays them on this machine.
    pub grid: Option<&'a dyn Grid<GameTask>>,
    /// Stops the tournament when raised.
    pub stop: &'a Stop,
}

impl<T: GameRunner> Tournament<'_, T>
where
    T::WorkerPlayers: Send,
{
    /// Plays every game that the journal has not, and counts all.
    pub fn play(
        &self,
        journal: &mut Journal,
        scoreboard: &mut Scoreboard,
        observer: &mut dyn Observer,
    ) -> Result<Ending, TournamentError> {
        let blank = scoreboard.clone();
        self.count(journal, scoreboard)?;
        // Games of before may be taken back while others are played: then there is more to play.
        loop {
            let missing: Vec<usize> = (0..self.schedule.len()).filter(|game| !journal.has(*game)).collect();
            if missing.is_empty() || scoreboard.is_decided() || self.stop.is_stopped() {
                break;
            }
            let tasks: Vec<GameTask> = missing.into_iter().map(|game| GameTask { game }).collect();
            if !self.play_games(&tasks, &blank, journal, scoreboard, observer)? {
                break;
            }
        }
        observer.checkpoint(scoreboard, journal)?;
        Ok(Ending::of(scoreboard, self.schedule))
    }

    /// Counts games whose turn has come, until the tournament is decided.
    fn count(&self, journal: &mut Journal, scoreboard: &mut Scoreboard) -> Result<(), TournamentError> {
        while !scoreboard.is_decided()
            && journal.has(scoreboard.games())
            && scoreboard.games() < self.schedule.len()
        {
            let game = scoreboard.games();
            let record = journal.read(game)?.ok_or_else(|| unfinished(game))?;
            let outcome = record.outcome.ok_or_else(|| unfinished(game))?;
            scoreboard.count(self.schedule, &self.schedule.pairing(game), outcome, &record);
        }
        Ok(())
    }

    /// Plays games; whether others were taken back meanwhile.
    fn play_games(
        &self,
        tasks: &[GameTask],
        blank: &Scoreboard,
        journal: &mut Journal,
        scoreboard: &mut Scoreboard,
        observer: &mut dyn Observer,
    ) -> Result<bool, TournamentError> {
        let workers = self.workers.clamp(1, tasks.len());
        let live_games = LiveGames::new(if self.grid.is_some() { 0 } else { workers });
        let written = Instant::now();
        let mut scorer = Scorer {
            tournament: self,
            tasks,
            blank,
            journal,
            scoreboard,
            observer,
            live_games: &live_games,
            written,
            retracted: false,
            failure: None,
        };
        let played = if let Some(grid) = self.grid {
            grid.run(tasks, self.stop, &mut scorer)
        } else {
            let executor = |worker| -> LocalExecutor<'_, T> {
                let (worker_players, reporter) =
                    (self.runner.worker_players(worker), live_games.reporter(worker));
                LocalExecutor { runner: self.runner, schedule: self.schedule, worker_players, reporter }
            };
            let threads = Local::new(workers, STACK_BYTES, |worker| Box::new(executor(worker)));
            threads.run(tasks, self.stop, &mut scorer)
        };
        match scorer.failure {
            Some(failure) => Err(failure),
            None => played.map(|()| scorer.retracted).map_err(TournamentError::from),
        }
    }
}

/// Writes down and counts what is played.
struct Scorer<'a, T: GameRunner> {
    tournament: &'a Tournament<'a, T>,
    tasks: &'a [GameTask],
    /// A scoreboard without games.
    blank: &'a Scoreboard,
    journal: &'a mut Journal,
    scoreboard: &'a mut Scoreboard,
    observer: &'a mut dyn Observer,
    live_games: &'a LiveGames,
    written: Instant,
    /// Whether games of before were taken back.
    retracted: bool,
    failure: Option<TournamentError>,
}

impl<T: GameRunner> Scorer<'_, T>
where
    T::WorkerPlayers: Send,
{
    fn enter(&mut self, pairing: &Pairing, record: &GameRecord) -> Result<(), TournamentError> {
        self.journal.add(pairing.game, record)?;
        self.tournament.count(self.journal, self.scoreboard)
    }

    /// Takes games back, and counts the others again.
    fn take_back(&mut self, games: &[usize]) -> Result<(), String> {
        self.journal.retract(games).map_err(|error| error.to_string())?;
        self.scoreboard.clone_from(self.blank);
        self.tournament.count(self.journal, self.scoreboard).map_err(|error| error.to_string())
    }

    fn tell(&mut self, ended: Option<(&Pairing, &GameRecord)>) {
        self.observer.progress(&Progress {
            scoreboard: self.scoreboard,
            finished: self.journal.len(),
            total: self.tournament.schedule.len(),
            live_games: self.live_games,
            ended,
        });
    }

    /// Whether there is anything left to play for.
    fn go_on(&mut self) -> bool {
        if self.written.elapsed() >= CHECKPOINT {
            let failed = self.observer.checkpoint(self.scoreboard, self.journal).err();
            self.failure = self.failure.take().or(failed);
            self.written = Instant::now();
        }
        self.failure.is_none() && !self.scoreboard.is_decided()
    }
}

impl<T: GameRunner> Ledger<GameTask> for Scorer<'_, T>
where
    T::WorkerPlayers: Send,
{
    fn done(&mut self, place: usize, done: PlayedGame) -> Verdict {
        let pairing = self.tournament.schedule.pairing(self.tasks[place].game);
        if done.game != pairing.game {
            return Verdict::Rejected(format!("it is game {}", done.game + 1));
        }
        if self.tournament.grid.is_some()
            && let Err(why) = self.tournament.runner.check(&pairing, &done.record)
        {
            return Verdict::Rejected(why);
        }
        self.failure = self.enter(&pairing, &done.record).err();
        self.tell(Some((&pairing, &done.record)));
        if self.go_on() { Verdict::Counted } else { Verdict::Enough }
    }

    fn retract(&mut self, places: &[usize]) -> Result<(), String> {
        let games: Vec<usize> = places.iter().map(|place| self.tasks[*place].game).collect();
        self.take_back(&games)
    }

    fn retract_earlier(&mut self, results: &[EarlierResult]) -> Result<(), String> {
        let game = |result: &EarlierResult| {
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

fn unfinished(game: usize) -> TournamentError {
    TournamentError::Unwritable { game: game + 1, why: "it has no result".to_owned() }
}
