//! A training run as a directory that can be interrupted and resumed at any time.
//!
//! | file | what |
//! | --- | --- |
//! | `manifest.toml` | settings, seed and version |
//! | `games-0007.bin` | games of a generation; `.part` while they are played |
//! | `checkpoint-0007.safetensors` | the complete state after a generation |
//! | `metrics.jsonl` | one line per generation |
//! | `events.out.tfevents.0.tabia` | the same for TensorBoard |
//! | `best.safetensors` | the network with the best rating or the lowest loss so far, for `net(weights=…)` |
//! | `final.safetensors` | the network when the run ends, for whatever reason |
//!
//! A generation is self-play, optimiser steps, a checkpoint, then its metrics. An interruption before the checkpoint repeats the
//! generation except for finished games; what comes after is derived from the checkpoint. With `save_every` most generations have no
//! checkpoint, and a killed process repeats the steps of all generations since the last one. So does a stop while the network learns: a
//! checkpoint is the state after a generation, and the state before the interrupted one is gone. A stop at any other time writes
//! the missing checkpoint.

mod clock;
mod game_stats;
mod games;
mod matches;
mod steps;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use tabia_core::{Stop, seed};
use tabia_run::{Manifest, RunDirectory, RunError, atomic_file, lock};

use crate::checkpoint::{Checkpoint, TrainingState};
use crate::device::{Device, NetworkRole};
use crate::error::NetError;
use crate::metrics::{self, GenerationMetrics};
use crate::optimiser::Optimiser;
use crate::remote::{RemoteSelfPlay, SelfPlaySettings};
use crate::replay::ReplayBuffer;
use crate::selfplay::continuous::{CurrentNetwork, FinishedGames, RaisedAtEnd};
use crate::settings::{Hyperparameters, KIND, Settings};
use crate::shard::{self, Shard};
use crate::tensorboard;
use crate::weights::Weights;
use clock::Clock;
use game_stats::summary;

/// The network with the best rating, or with the lowest loss.
pub const BEST: &str = "best.safetensors";
/// The network at the end of the run.
pub const FINAL: &str = "final.safetensors";
/// Metrics, one line per generation.
pub const METRICS: &str = "metrics.jsonl";
/// Interval at which the stop flag and the time limit are checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Generations' worth of finished games that may wait in continuous self-play while the network learns.
const GENERATIONS_WAITING: usize = 4;
/// And so many games at most.
const MOST_WAITING: usize = 1 << 14;

/// Streams of random numbers, derived from the seed by stream and generation.
mod stream {
    pub const GAMES: u64 = 1 << 32;
    pub const BATCHES: u64 = 2 << 32;
    pub const RATING: u64 = 3 << 32;
    pub const GATE: u64 = 4 << 32;
    pub const WEIGHTS: u64 = 5 << 32;
}

/// Size of the replay buffer after this many played samples: it grows with them.
fn window_size(hyper: &Hyperparameters, played_samples: usize) -> usize {
    hyper.first_window.max(played_samples / 2).min(hyper.window)
}

/// The replay buffer at a checkpoint, from the latest games as far back as it reaches. Older games are not needed.
fn window(path: &Path, hyper: &Hyperparameters, state: &TrainingState) -> Result<ReplayBuffer, NetError> {
    let capacity = window_size(hyper, state.played_samples);
    let mut generations = Vec::new();
    let mut missing = capacity.min(state.played_samples);
    for generation in (1..=state.generation).rev() {
        if missing == 0 {
            break;
        }
        let Some(games) = shard::read(path, generation)? else {
            return Err(NetError::malformed(
                &shard::path(path, generation),
                "it is missing; the training cannot be resumed without the games of its replay buffer",
            ));
        };
        missing = missing.saturating_sub(games.iter().map(|game| game.samples.len()).sum());
        generations.push(games);
    }
    let mut replay = ReplayBuffer::default();
    let games = generations.into_iter().rev().flatten();
    replay.add(games.flat_map(|game| game.samples), capacity);
    Ok(replay)
}

/// Progress of a run.
#[derive(Clone, Debug)]
pub enum Progress<'a> {
    /// A damaged checkpoint; an older one is used.
    DamagedCheckpoint(&'a NetError),
    Playing {
        generation: u32,
        done: usize,
        /// Their total number.
        games: usize,
    },
    Learning {
        generation: u32,
        done: u32,
        /// Their total number.
        steps: u32,
    },
    /// A generation is finished.
    Done(&'a GenerationMetrics),
}

/// Why a run ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// All generations are finished.
    Finished,
    /// The time limit was reached.
    TimeLimit,
    /// The stop flag was raised.
    Stopped,
}

pub struct Training {
    path: PathBuf,
    settings: Settings,
    optimiser: Optimiser,
    player: Weights,
    replay: ReplayBuffer,
    state: TrainingState,
    history: Vec<GenerationMetrics>,
    damaged: Vec<NetError>,
    device: Device,
    /// Whether the optimiser's state is on the device. It stays there from generation to generation.
    is_uploaded: bool,
    /// Generation of the last checkpoint; 0 without one.
    saved_generation: u32,
    /// When the last generation's games were complete.
    games_complete: Instant,
    /// Seconds since 1970, for dates in logs; nothing else depends on it.
    now: fn() -> f64,
    /// Plays the games, if not this process.
    remote: Option<Box<dyn RemoteSelfPlay>>,
    /// Lock of the run directory.
    _lock: File,
}

impl Training {
    /// Starts a training in a directory without one.
    pub fn start(path: &Path, settings: Settings, version: &str) -> Result<Training, NetError> {
        settings.check()?;
        atomic_file::create_directory(path).map_err(NetError::file("make", path))?;
        let lock = lock::lock_directory(path)?;
        if path.join("manifest.toml").exists() {
            return Err(RunError::Occupied(path.to_owned()).into());
        }
        let manifest = Manifest::new(KIND, version, None, &settings)?;
        let file = path.join("manifest.toml");
        atomic_file::write_bytes(&file, manifest.write()?.as_bytes())
            .map_err(NetError::file("write", &file))?;
        Ok(Training::new(path, &settings, lock))
    }

    /// Starts from trained weights. They are written to a checkpoint, so that the run can be resumed at once.
    pub fn with_initial_weights(mut self, weights: Weights) -> Result<Training, NetError> {
        if weights.architecture != self.settings.network {
            return Err(NetError::Settings(format!(
                "the initial network has {}; this training's has {}",
                weights.architecture, self.settings.network
            )));
        }
        self.player = weights.clone();
        self.optimiser = Optimiser::new(weights);
        self.optimiser.averaged.write(&self.path.join(BEST))?;
        self.write_checkpoint()?;
        Ok(self)
    }

    fn write_checkpoint(&mut self) -> Result<(), NetError> {
        let (optimiser, player) = (self.optimiser.clone(), self.player.clone());
        let checkpoint = Checkpoint { optimiser, player, state: self.state.clone() };
        checkpoint.write(&self.path, self.settings.learning.keep_every)?;
        self.saved_generation = self.state.generation;
        Ok(())
    }

    /// Writes the checkpoint of the last finished generation if it has none (`save_every`), so that resuming repeats no steps. No step
    /// may have been taken since.
    fn save_last_generation(&mut self) -> Result<(), NetError> {
        if self.saved_generation == self.state.generation {
            return Ok(());
        }
        // After a generation without a checkpoint only the average was downloaded.
        self.device.download(&mut self.optimiser)?;
        self.write_checkpoint()
    }

    fn new(path: &Path, settings: &Settings, lock: File) -> Training {
        let weights =
            Weights::initial(settings.network, seed::derive(settings.learning.seed, stream::WEIGHTS));
        Training {
            path: path.to_owned(),
            player: weights.clone(),
            optimiser: Optimiser::new(weights),
            settings: *settings,
            replay: ReplayBuffer::default(),
            state: TrainingState::default(),
            history: Vec::new(),
            damaged: Vec::new(),
            device: Device::default(),
            is_uploaded: false,
            saved_generation: 0,
            games_complete: Instant::now(),
            now: || 0.0,
            remote: None,
            _lock: lock,
        }
    }

    /// Reads the settings of a training from its directory.
    pub fn settings_of(path: &Path) -> Result<Settings, NetError> {
        let (_, manifest) = RunDirectory::open(path)?;
        if manifest.kind != KIND {
            return Err(NetError::malformed(
                &path.join("manifest.toml"),
                format!("it is a run of another kind, \"{}\", expected \"quantum train\"", manifest.kind),
            ));
        }
        Ok(manifest.settings(path)?)
    }

    /// Resumes a training from its last checkpoint. Hyperparameters may change, the architecture may not.
    pub fn resume(path: &Path, settings: Settings, version: &str) -> Result<Training, NetError> {
        let before = Training::settings_of(path)?;
        let lock = lock::lock_directory(path)?;
        atomic_file::clear(path).map_err(NetError::file("clear", path))?;
        if before.network != settings.network {
            return Err(NetError::Settings(format!(
                "{} trains {}; its shape cannot be changed to {}",
                path.display(),
                before.network,
                settings.network
            )));
        }
        settings.check()?;
        if before != settings {
            let file = path.join("manifest.toml");
            let manifest = Manifest::new(KIND, version, None, &settings)?;
            atomic_file::write_bytes(&file, manifest.write()?.as_bytes())
                .map_err(NetError::file("write", &file))?;
        }
        let mut training = Training::new(path, &settings, lock);
        let (checkpoint, damaged) = Checkpoint::last(path, settings.network)?;
        training.damaged = damaged;
        let Some(Checkpoint { optimiser, player, state }) = checkpoint else { return Ok(training) };
        training.replay = window(path, &settings.learning, &state)?;
        let metrics = path.join(METRICS);
        let mut history = metrics::read(&metrics, state.generation)?;
        // The process was killed between the checkpoint and its metrics.
        if history.last().map_or(0, |last| last.generation) < state.generation {
            history.push(state.metrics.clone());
        }
        metrics::write(&metrics, &history)?;
        (training.optimiser, training.player) = (optimiser, player);
        training.saved_generation = state.generation;
        (training.state, training.history) = (state, history);
        Ok(training)
    }

    /// Trains on this device.
    #[must_use]
    pub fn with_device(mut self, device: Device) -> Training {
        self.device = device;
        self.is_uploaded = false;
        self
    }

    /// Dates log entries by this clock, in seconds since 1970. Without one they have no date.
    #[must_use]
    pub fn with_clock(mut self, now: fn() -> f64) -> Training {
        self.now = now;
        self
    }

    /// Has the self-play games played elsewhere.
    pub fn set_remote(&mut self, remote: Box<dyn RemoteSelfPlay>) -> Result<(), NetError> {
        self.settings.check_remote()?;
        self.remote = Some(remote);
        Ok(())
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Metrics of the finished generations.
    pub fn history(&self) -> &[GenerationMetrics] {
        &self.history
    }

    /// Number of finished generations.
    pub fn generation(&self) -> u32 {
        self.state.generation
    }

    /// The current network (averaged weights).
    pub fn network(&self) -> &Weights {
        &self.optimiser.averaged
    }

    /// Trains until all generations are finished, the time limit is reached or the flag is raised. The network is then written in
    /// any case.
    pub fn run(
        &mut self,
        threads: usize,
        budget: Option<Duration>,
        stop: &Stop,
        report: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<StopReason, NetError> {
        for error in &self.damaged {
            report(&Progress::DamagedCheckpoint(error));
        }
        tensorboard::create(&self.path, &self.history, (self.now)())?;
        self.games_complete = Instant::now();
        let clock = Clock { started: Instant::now(), earlier_seconds: self.state.seconds, budget, threads };
        // The time limit interrupts work in progress just as the flag does.
        let (halt, done) = (Stop::new(), Stop::new());
        let reason = thread::scope(|scope| {
            let (halt, done, clock) = (&halt, &done, &clock);
            let _done = RaisedAtEnd(done);
            scope.spawn(move || {
                while !done.is_stopped() {
                    if stop.is_stopped() || clock.is_over() {
                        halt.stop();
                    }
                    thread::sleep(POLL_INTERVAL);
                }
            });
            // A flag raised in a callback takes effect at once, not at the next poll.
            self.generations(clock, halt, &mut |progress| {
                report(progress);
                if stop.is_stopped() {
                    halt.stop();
                }
            })
        })?;
        let reason =
            if reason == StopReason::Stopped && !stop.is_stopped() { StopReason::TimeLimit } else { reason };
        self.optimiser.averaged.write(&self.path.join(FINAL))?;
        Ok(reason)
    }

    fn generations(
        &mut self,
        clock: &Clock,
        halt: &Stop,
        report: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<StopReason, NetError> {
        let hyper = self.settings.learning;
        if hyper.continuous == 0 {
            return self.generations_with(None, clock, halt, report);
        }
        // A training that is finished needs no games.
        if self.state.generation >= hyper.generations {
            return Ok(StopReason::Finished);
        }
        let network = CurrentNetwork::new(self.device.evaluator(&self.player, NetworkRole::SelfPlay)?);
        // Games of a resumed training differ from those before the interruption: every game that was kept changes the seed.
        let generation = self.unfinished_generation();
        let kept = Shard::open(&self.path, generation)?.1.len() as u64;
        let (simulations, quick_simulations) = (hyper.simulations, hyper.quick_simulations);
        let seed = seed::derive(seed::derive(hyper.seed, stream::GAMES + u64::from(generation)), kept);
        let settings = SelfPlaySettings { hyper, simulations, quick_simulations, seed };
        let waiting = (GENERATIONS_WAITING * hyper.games as usize).min(MOST_WAITING);
        settings
            .local(clock.threads)
            .while_playing(&network, waiting, |games| self.continuous_generations(games, clock, halt, report))
    }

    /// Generations whose games are played meanwhile. Those that still wait at the end are kept, however it ends: a resumed training
    /// learns from them.
    fn continuous_generations(
        &mut self,
        games: &FinishedGames<'_>,
        clock: &Clock,
        halt: &Stop,
        report: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<StopReason, NetError> {
        let ending = self.generations_with(Some(games), clock, halt, report);
        let kept = self.keep_waiting_games(games);
        // Of two errors the first one is the cause.
        let reason = ending?;
        kept?;
        Ok(reason)
    }

    fn generations_with(
        &mut self,
        continuous: Option<&FinishedGames<'_>>,
        clock: &Clock,
        halt: &Stop,
        report: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<StopReason, NetError> {
        while self.state.generation < self.settings.learning.generations {
            if !self.generation_once(continuous, clock, halt, report)? {
                return Ok(StopReason::Stopped);
            }
        }
        Ok(StopReason::Finished)
    }

    /// Runs one generation; returns whether it was finished.
    fn generation_once(
        &mut self,
        continuous: Option<&FinishedGames<'_>>,
        clock: &Clock,
        halt: &Stop,
        report: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<bool, NetError> {
        let generation = self.state.generation + 1;
        let started = Instant::now();
        let mut leaves = 0;
        let games = if halt.is_stopped() {
            None
        } else {
            self.games(generation, continuous, clock.threads, &mut leaves, halt, report)?
        };
        let Some(games) = games.filter(|_| !halt.is_stopped()) else {
            self.save_last_generation()?;
            return Ok(false);
        };
        let leaves = continuous.map_or(leaves, |finished| finished.network.take_leaves());
        let mut metrics = GenerationMetrics { generation, leaves, ..summary(&games) };
        metrics.play_seconds = started.elapsed().as_secs_f64();
        let started = Instant::now();
        self.games_complete = started;
        // An interruption from here on repeats the steps since the last checkpoint; only `final` has what they learned.
        self.add_to_replay(games);
        if !self.train(generation, &mut metrics, clock, halt, report)? {
            return Ok(false);
        }
        if let Some(finished) = continuous {
            finished.network.replace(self.device.evaluator(&self.player, NetworkRole::SelfPlay)?);
        }
        metrics.learn_seconds = started.elapsed().as_secs_f64();
        if !self.play_matches(&mut metrics, clock.threads, halt)? {
            return Ok(false);
        }
        let is_saved = self.is_saved(generation);
        if is_saved {
            self.keep_best(&metrics)?;
        }
        metrics.seconds = clock.seconds();
        metrics.time = (self.now)();
        metrics.samples = self.replay.len();
        self.state = TrainingState {
            generation,
            steps: self.optimiser.steps,
            seconds: metrics.seconds,
            metrics: metrics.clone(),
            ..self.state.clone()
        };
        if is_saved {
            self.write_checkpoint()?;
        }
        self.history.push(metrics);
        metrics::write(&self.path.join(METRICS), &self.history)?;
        tensorboard::append(&self.path, &self.history[self.history.len() - 1])?;
        report(&Progress::Done(&self.history[self.history.len() - 1]));
        Ok(true)
    }

    /// Whether a checkpoint is written after this generation. What a rating says about the best network belongs in one.
    fn is_saved(&self, generation: u32) -> bool {
        let hyper = &self.settings.learning;
        generation.is_multiple_of(hyper.save_every)
            || generation == hyper.generations
            || self.is_rated(generation)
    }
}
