//! A training as a directory, from its first generation to its last, with any number of interruptions.
//!
//! | file | what |
//! | --- | --- |
//! | `manifest.toml` | what was asked, seed and version |
//! | `games-0007.bin` | the games of a generation; `.part` while it is played |
//! | `checkpoint-0007.safetensors` | everything needed to go on after it |
//! | `metrics.jsonl` | a line a generation |
//! | `events.out.tfevents.0.tabia` | the same for TensorBoard |
//! | `best.safetensors` | the network with the best rating so far, for `net(weights=…)` |
//! | `final.safetensors` | the network as it is when the training ends, however it does |
//!
//! A generation is games, then steps, then a checkpoint, then its line. Whatever happens before the checkpoint is done again, but for games that
//! were finished; what comes after it is made from it.

mod clock;
mod played;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tabia_arena::contest::{ContestError, Manifest, RunDirectory, directory};
use tabia_arena::whole;
use tabia_core::{Stop, seed};
use tabia_quantum::agents::HandMade;

use crate::backward::Losses;
use crate::checkpoint::{Checkpoint, Standing};
use crate::crew::{Crew, News, Orders};
use crate::device::{Device, Player, Seat};
use crate::error::NetError;
use crate::events;
use crate::metrics::{self, Line};
use crate::optimiser::{self, Optimiser};
use crate::rating::{self, Terms};
use crate::replay::Replay;
use crate::settings::Settings;
use crate::shard::{self, Played, Shard};
use crate::weights::Weights;
use clock::Clock;
use played::{Counted, summary};

/// What a run is called in its manifest.
pub const KIND: &str = "quantum train";
/// The network with the best rating.
pub const BEST: &str = "best.safetensors";
/// The network at the end.
pub const FINAL: &str = "final.safetensors";
/// A line a generation.
pub const METRICS: &str = "metrics.jsonl";
/// How often it is looked whether to end.
const LOOK: Duration = Duration::from_millis(50);

/// Parts that the luck of a generation comes from.
mod luck {
    pub const GAMES: u64 = 1 << 32;
    pub const BATCHES: u64 = 2 << 32;
    pub const RATING: u64 = 3 << 32;
    pub const GATE: u64 = 4 << 32;
    pub const WEIGHTS: u64 = 5 << 32;
}

/// How far it has come.
#[derive(Clone, Debug)]
pub enum Progress<'a> {
    /// A checkpoint that is broken, and what was used instead.
    Broken(&'a NetError),
    /// Games of a generation.
    Playing {
        /// The generation.
        generation: u32,
        /// Games that are finished.
        done: usize,
        /// Of how many.
        games: usize,
    },
    /// Steps of a generation.
    Learning {
        /// The generation.
        generation: u32,
        /// Steps that are done.
        done: u32,
        /// Of how many.
        steps: u32,
    },
    /// A generation is done.
    Done(&'a Line),
}

/// Why it ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All generations are done.
    Finished,
    /// Time was up.
    Time,
    /// Somebody raised the stop flag.
    Stopped,
}

/// A training, to be begun or gone on with.
pub struct Training {
    path: PathBuf,
    settings: Settings,
    optimiser: Optimiser,
    player: Weights,
    replay: Replay,
    standing: Standing,
    lines: Vec<Line>,
    faults: Vec<NetError>,
    device: Device,
    /// Whoever plays the games, where it is not this process.
    crew: Option<Box<dyn Crew>>,
    /// Held as long as the training is open.
    _lock: File,
}

impl Training {
    /// Begins a training in a directory that has none.
    pub fn start(path: &Path, settings: Settings, version: &str) -> Result<Training, NetError> {
        settings.network.check()?;
        fs::create_dir_all(path).map_err(NetError::file("make", path))?;
        let lock = directory::hold(path)?;
        if path.join("manifest.toml").exists() {
            return Err(ContestError::Occupied(path.to_owned()).into());
        }
        let manifest = Manifest::new(KIND, version, None, &settings)?;
        let file = path.join("manifest.toml");
        whole::write_bytes(&file, manifest.write()?.as_bytes()).map_err(NetError::file("write", &file))?;
        Ok(Training::fresh(path, settings, lock))
    }

    /// Begins with a network that has learned something already. A checkpoint keeps it, so that the training can be gone on with from the beginning.
    pub fn begin_with(mut self, weights: Weights) -> Result<Training, NetError> {
        if weights.architecture != self.settings.network {
            return Err(NetError::Settings(format!(
                "the network to begin with has {}; this training's has {}",
                weights.architecture, self.settings.network
            )));
        }
        self.player = weights.clone();
        self.optimiser = Optimiser::new(weights);
        self.checkpoint().write(&self.path, self.settings.learning.keep_every)?;
        Ok(self)
    }

    /// Everything needed to go on from here.
    fn checkpoint(&self) -> Checkpoint {
        let (optimiser, player) = (self.optimiser.clone(), self.player.clone());
        Checkpoint { optimiser, player, standing: self.standing.clone() }
    }

    fn fresh(path: &Path, settings: Settings, lock: File) -> Training {
        let weights = Weights::fresh(settings.network, seed::derive(settings.learning.seed, luck::WEIGHTS));
        Training {
            path: path.to_owned(),
            player: weights.clone(),
            optimiser: Optimiser::new(weights),
            settings,
            replay: Replay::default(),
            standing: Standing::default(),
            lines: Vec::new(),
            faults: Vec::new(),
            device: Device::default(),
            crew: None,
            _lock: lock,
        }
    }

    /// The settings of the training in a directory.
    pub fn settings_of(path: &Path) -> Result<Settings, NetError> {
        let (_, manifest) = RunDirectory::open(path)?;
        if manifest.kind != KIND {
            return Err(NetError::broken(
                &path.join("manifest.toml"),
                format!("this is a run of another kind: {}", manifest.kind),
            ));
        }
        Ok(manifest.settings(path)?)
    }

    /// Goes on with a training, from its last checkpoint. Settings may be others than before; the network's shape may not.
    pub fn resume(path: &Path, settings: Settings, version: &str) -> Result<Training, NetError> {
        let before = Training::settings_of(path)?;
        let lock = directory::hold(path)?;
        whole::clear(path).map_err(NetError::file("clear", path))?;
        if before.network != settings.network {
            return Err(NetError::Settings(format!(
                "{} trains {}; its shape cannot be changed to {}",
                path.display(),
                before.network,
                settings.network
            )));
        }
        if before != settings {
            let file = path.join("manifest.toml");
            let manifest = Manifest::new(KIND, version, None, &settings)?;
            whole::write_bytes(&file, manifest.write()?.as_bytes())
                .map_err(NetError::file("write", &file))?;
        }
        let mut training = Training::fresh(path, settings, lock);
        let (checkpoint, faults) = Checkpoint::last(path, settings.network)?;
        training.faults = faults;
        let Some(Checkpoint { optimiser, player, standing }) = checkpoint else { return Ok(training) };
        for generation in 1..=standing.generation {
            let Some(games) = shard::read(path, generation)? else {
                return Err(NetError::broken(
                    &shard::path(path, generation),
                    "it is not there; without its games the training cannot go on",
                ));
            };
            training.learn_from(games);
        }
        let metrics = path.join(METRICS);
        let mut lines = metrics::read(&metrics, standing.generation)?;
        // Killed between a checkpoint and its line.
        if lines.last().map_or(0, |line| line.generation) < standing.generation {
            lines.push(standing.line.clone());
        }
        metrics::write(&metrics, &lines)?;
        (training.optimiser, training.player) = (optimiser, player);
        (training.standing, training.lines) = (standing, lines);
        Ok(training)
    }

    /// Does the arithmetic elsewhere.
    #[must_use]
    pub fn on(mut self, device: Device) -> Training {
        self.device = device;
        self
    }

    /// Has the games played by others; all else is done here.
    pub fn play_by(&mut self, crew: Box<dyn Crew>) {
        self.crew = Some(crew);
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Generations that are done, with what is known of them.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Generations that are done.
    pub fn generation(&self) -> u32 {
        self.standing.generation
    }

    /// The network as it plays now.
    pub fn network(&self) -> &Weights {
        &self.optimiser.averaged
    }

    /// Trains until all generations are done, time is up, or somebody raises the flag. Whatever happens, the network as it is then is written.
    pub fn run(
        &mut self,
        threads: usize,
        budget: Option<Duration>,
        stop: &Stop,
        report: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Ending, NetError> {
        for fault in &self.faults {
            report(&Progress::Broken(fault));
        }
        events::begin(&self.path, &self.lines)?;
        let clock = Clock { begun: Instant::now(), before: self.standing.seconds, budget, threads };
        // Time ends what is going on just as the flag does.
        let (halt, done) = (Stop::new(), AtomicBool::new(false));
        let ending = thread::scope(|scope| {
            let (halt, done, clock) = (&halt, &done, &clock);
            scope.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    if stop.is_stopped() || clock.is_over() {
                        halt.stop();
                    }
                    thread::sleep(LOOK);
                }
            });
            // Whoever raises the flag while being told need not wait to be looked at.
            let ending = self.generations(clock, halt, &mut |progress| {
                report(progress);
                if stop.is_stopped() {
                    halt.stop();
                }
            });
            done.store(true, Ordering::Relaxed);
            ending
        })?;
        let ending = if ending == Ending::Stopped && !stop.is_stopped() { Ending::Time } else { ending };
        self.optimiser.averaged.write(&self.path.join(FINAL))?;
        Ok(ending)
    }

    fn generations(
        &mut self,
        clock: &Clock,
        halt: &Stop,
        report: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Ending, NetError> {
        while self.standing.generation < self.settings.learning.generations {
            if halt.is_stopped() || !self.generation_once(clock, halt, report)? {
                return Ok(Ending::Stopped);
            }
        }
        Ok(Ending::Finished)
    }

    /// One generation; whether it was finished.
    fn generation_once(
        &mut self,
        clock: &Clock,
        halt: &Stop,
        report: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<bool, NetError> {
        let generation = self.standing.generation + 1;
        let begun = Instant::now();
        let leaves = AtomicU64::new(0);
        let Some(games) = self.games(generation, clock.threads, &leaves, halt, report)? else {
            return Ok(false);
        };
        let mut line = Line { generation, leaves: leaves.into_inner(), ..summary(&games) };
        line.play_seconds = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        // What is cut off from here on is done again from the last checkpoint; what was learned of it is in `final` alone.
        self.learn_from(games);
        if !self.learn(generation, &mut line, clock, halt, report)? {
            return Ok(false);
        }
        line.learn_seconds = begun.elapsed().as_secs_f64();
        if !self.judge(&mut line, clock.threads, halt)? {
            return Ok(false);
        }
        line.seconds = clock.seconds();
        line.samples = self.replay.len();
        self.standing = Standing {
            generation,
            steps: self.optimiser.steps,
            seconds: line.seconds,
            line: line.clone(),
            ..self.standing.clone()
        };
        self.checkpoint().write(&self.path, self.settings.learning.keep_every)?;
        self.lines.push(line);
        metrics::write(&self.path.join(METRICS), &self.lines)?;
        events::add(&self.path, &self.lines[self.lines.len() - 1])?;
        report(&Progress::Done(&self.lines[self.lines.len() - 1]));
        Ok(true)
    }

    /// The games of a generation, those finished before an interruption included; nothing if there was one now.
    fn games(
        &self,
        generation: u32,
        threads: usize,
        leaves: &AtomicU64,
        halt: &Stop,
        report: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Option<Vec<Played>>, NetError> {
        if let Some(games) = shard::read(&self.path, generation)? {
            return Ok(Some(games));
        }
        let knobs = &self.settings.learning;
        let (mut shard, before) = Shard::open(&self.path, generation)?;
        let mut there: BTreeSet<u32> = before.iter().map(|game| game.number).collect();
        let taught = generation <= knobs.taught_generations;
        let full = if taught { knobs.teacher_simulations } else { knobs.simulations };
        let quick = if taught { (full / 4).max(2) } else { knobs.quick_simulations };
        let seed = seed::derive(knobs.seed, luck::GAMES + u64::from(generation));
        let orders = Orders { knobs: *knobs, simulations: full, quick_simulations: quick, seed };
        let mut heard = |news: News, there: &mut BTreeSet<u32>| -> Result<(), NetError> {
            match news {
                News::Played(game) => {
                    self.device.check()?;
                    shard.add(&game)?;
                    there.insert(game.number);
                }
                News::Retracted(games) => {
                    shard.remove(&games)?;
                    there.retain(|number| !games.contains(number));
                }
            }
            report(&Progress::Playing { generation, done: there.len(), games: knobs.games as usize });
            Ok(())
        };
        let whole = loop {
            let missing: Vec<u32> = (0..knobs.games).filter(|number| !there.contains(number)).collect();
            let played = if let Some(crew) = &self.crew {
                let weights = (!taught).then_some(&self.player);
                crew.play(&orders, weights, &missing, halt, &mut |news| heard(news, &mut there))?
            } else {
                let player: Player = if taught {
                    Arc::new(HandMade)
                } else {
                    self.device.player(&self.player, Seat::SelfPlay)?
                };
                orders.hall(threads).play(&Counted { player, leaves }, &missing, halt, &mut |game| {
                    heard(News::Played(Box::new(game)), &mut there)
                })?
            };
            // Games of before may have been taken back while others were played.
            let whole = there.len() == knobs.games as usize;
            if whole || !played || halt.is_stopped() {
                break whole;
            }
        };
        if !whole {
            return Ok(None);
        }
        shard.finish()?;
        shard::read(&self.path, generation)
    }

    /// Adds a generation's samples to those that batches are drawn from.
    fn learn_from(&mut self, games: Vec<Played>) {
        let knobs = &self.settings.learning;
        let samples: usize = games.iter().map(|game| game.samples.len()).sum();
        self.standing.played_samples += samples;
        let room = knobs.first_window.max(self.standing.played_samples / 2).min(knobs.window);
        self.replay.add(games.into_iter().flat_map(|game| game.samples), room);
    }

    /// The steps of a generation; whether all were taken.
    fn learn(
        &mut self,
        generation: u32,
        line: &mut Line,
        clock: &Clock,
        halt: &Stop,
        report: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<bool, NetError> {
        let knobs = self.settings.learning;
        let steps = match knobs.steps {
            _ if self.replay.len() < knobs.least_samples => 0,
            0 => (f64::from(knobs.passes) * line.new_samples as f64 / knobs.batch as f64).ceil() as u32,
            steps => steps,
        };
        let mut random = seed::random(seed::derive(knobs.seed, luck::BATCHES + u64::from(generation)));
        let mut losses = Losses::default();
        self.device.begin(&self.optimiser)?;
        for step in 0..steps {
            if halt.is_stopped() {
                self.device.end(&mut self.optimiser)?;
                return Ok(false);
            }
            let share = f64::from(step) / f64::from(steps);
            let rate = optimiser::rate(&knobs, self.optimiser.steps, self.progress(generation, share, clock));
            let picks = self.replay.draw(knobs.batch, &mut random);
            losses.add(&self.device.step(&mut self.optimiser, &picks, &knobs, rate, clock.threads)?);
            line.rate = f64::from(rate);
            report(&Progress::Learning { generation, done: step + 1, steps });
        }
        losses.add(&self.device.end(&mut self.optimiser)?);
        line.steps = self.optimiser.steps;
        (line.policy_loss, line.value_loss) = (losses.policy_mean(), losses.value_mean());
        line.loss = line.policy_loss + line.value_loss;
        line.policy_entropy = losses.entropy / losses.policies.max(1.0);
        line.policy_hits = losses.hits / losses.policies.max(1.0);
        if self.settings.learning.gate <= 0.0 {
            self.player.clone_from(&self.optimiser.averaged);
        }
        Ok(true)
    }

    /// How much of the whole way is behind, for the learning rate.
    fn progress(&self, generation: u32, share: f64, clock: &Clock) -> f64 {
        let knobs = &self.settings.learning;
        if knobs.rate_steps > 0 {
            return self.optimiser.steps as f64 / knobs.rate_steps as f64;
        }
        let by_generation = (f64::from(generation - 1) + share) / f64::from(knobs.generations);
        clock.progress().map_or(by_generation, |by_time| by_time.max(by_generation))
    }

    /// Matches that are due after a generation; whether they were played to the end.
    fn judge(&mut self, line: &mut Line, threads: usize, halt: &Stop) -> Result<bool, NetError> {
        let knobs = self.settings.learning;
        let network = self.device.player(&self.optimiser.averaged, Seat::New)?;
        let generation = u64::from(line.generation);
        let terms = |games: u32, part: u64| {
            let seed = seed::derive(knobs.seed, part + generation);
            Terms { games, simulations: knobs.rate_simulations, seed, threads }
        };
        if knobs.gate > 0.0 && self.optimiser.steps > 0 {
            let old = self.device.player(&self.player, Seat::SelfPlay)?;
            let terms = terms(knobs.gate_games, luck::GATE);
            let Some(score) = rating::against(&network, &old, terms, halt) else { return Ok(false) };
            self.device.check()?;
            line.gate = Some(score);
            if 100.0 * score >= f64::from(knobs.gate) {
                self.player.clone_from(&self.optimiser.averaged);
            }
        }
        if knobs.rate_every > 0 && line.generation.is_multiple_of(knobs.rate_every) {
            let terms = terms(knobs.rate_games, luck::RATING);
            let Some(scores) = rating::scores(&network, terms, halt) else { return Ok(false) };
            self.device.check()?;
            let mean = scores.values().sum::<f64>() / scores.len() as f64;
            line.scores = scores;
            if self.standing.best_score.is_none_or(|best| mean >= best) {
                self.standing.best_score = Some(mean);
                self.optimiser.averaged.write(&self.path.join(BEST))?;
            }
        }
        Ok(true)
    }
}
