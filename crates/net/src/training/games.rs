//! The games of a generation: played for it, or taken from those that are played without end.

use std::collections::BTreeSet;
use std::iter;
use std::sync::Arc;
use std::time::Duration;

use tabia_core::{Stop, seed};
use tabia_quantum::agents::HandcraftedEvaluator;

use super::{MOST_WAITING, Progress, Training, stream};
use crate::device::{Evaluator, NetworkRole};
use crate::error::NetError;
use crate::remote::{SelfPlayEvent, SelfPlaySettings};
use crate::selfplay::continuous::{CurrentNetwork, FinishedGames};
use crate::shard::{self, PlayedGame, Shard};

impl Training {
    /// Games of a generation, including those finished before an interruption; `None` if interrupted now. Positions that were
    /// evaluated for them are added to `leaves`, except in continuous self-play, where `continuous` counts them.
    pub(super) fn games(
        &self,
        generation: u32,
        continuous: Option<&FinishedGames<'_>>,
        threads: usize,
        leaves: &mut u64,
        halt: &Stop,
        report: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Option<Vec<PlayedGame>>, NetError> {
        if let Some(games) = shard::read(&self.path, generation)? {
            return Ok(Some(games));
        }
        let is_complete = if let Some(finished) = continuous {
            self.take_games(generation, finished, halt, report)?
        } else {
            self.play_games(generation, threads, leaves, halt, report)?
        };
        if is_complete { shard::read(&self.path, generation) } else { Ok(None) }
    }

    /// Plays the games of a generation that are not there yet; returns whether all are there now.
    fn play_games(
        &self,
        generation: u32,
        threads: usize,
        leaves: &mut u64,
        halt: &Stop,
        report: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<bool, NetError> {
        let hyper = &self.settings.learning;
        let (mut shard, before) = Shard::open(&self.path, generation)?;
        let mut present: BTreeSet<u32> = before.iter().map(|game| game.number).collect();
        let taught = generation <= hyper.taught_generations;
        let full = if taught { hyper.teacher_simulations } else { hyper.simulations };
        let quick = if taught { (full / 4).max(2) } else { hyper.quick_simulations };
        let seed = seed::derive(hyper.seed, stream::GAMES + u64::from(generation));
        let settings = SelfPlaySettings { hyper: *hyper, simulations: full, quick_simulations: quick, seed };
        let mut on_event = |event: SelfPlayEvent, present: &mut BTreeSet<u32>| -> Result<(), NetError> {
            match event {
                SelfPlayEvent::Played(game) => {
                    shard.add(&game)?;
                    present.insert(game.number);
                }
                SelfPlayEvent::Retracted(games) => {
                    shard.remove(&games)?;
                    present.retain(|number| !games.contains(number));
                }
            }
            report(&Progress::Playing { generation, done: present.len(), games: hyper.games as usize });
            Ok(())
        };
        let is_complete = loop {
            let missing: Vec<u32> = (0..hyper.games).filter(|number| !present.contains(number)).collect();
            let played = if let Some(remote) = &self.remote {
                let weights = (!taught).then_some(&self.player);
                remote.play(&settings, weights, &missing, halt, &mut |event| on_event(event, &mut present))?
            } else {
                let evaluator: Evaluator = if taught {
                    Arc::new(HandcraftedEvaluator)
                } else {
                    self.device.evaluator(&self.player, NetworkRole::SelfPlay)?
                };
                let network = CurrentNetwork::new(evaluator);
                let played = settings.local(threads).play(&network, &missing, halt, &mut |game| {
                    on_event(SelfPlayEvent::Played(Box::new(game)), &mut present)
                })?;
                *leaves += network.take_leaves();
                played
            };
            // Earlier games may have been retracted while others were played.
            // There may be more of them than now belong to a generation, if the setting has changed.
            let is_complete = (0..hyper.games).all(|number| present.contains(&number));
            if is_complete || !played || halt.is_stopped() {
                break is_complete;
            }
        };
        if is_complete {
            shard.finish()?;
        }
        Ok(is_complete)
    }

    /// Takes the games of a generation of continuous self-play: those that end until there are enough, or its time is over; then also
    /// those that are waiting, for while the network learns nobody takes them. Returns `false` if interrupted.
    fn take_games(
        &self,
        generation: u32,
        finished: &FinishedGames<'_>,
        halt: &Stop,
        report: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<bool, NetError> {
        let hyper = &self.settings.learning;
        let (mut shard, before) = Shard::open(&self.path, generation)?;
        let (mut done, total) = (before.len(), hyper.games as usize);
        let limit = Duration::from_secs_f32(hyper.generation_seconds);
        // A generation begins when the games of the one before it are complete, and not after learning from them.
        let is_over = |done: usize| done > 0 && !limit.is_zero() && self.games_complete.elapsed() >= limit;
        while done < total {
            let is_over = is_over(done);
            let game = if is_over {
                finished.waiting()
            } else if halt.is_stopped() {
                return Ok(false);
            } else {
                finished.next()?
            };
            match game {
                Some(game) => {
                    shard.append(game)?;
                    done += 1;
                    report(&Progress::Playing { generation, done, games: total });
                }
                None if is_over => break,
                None => {}
            }
        }
        shard.finish()?;
        Ok(true)
    }

    /// The first generation from the next one on whose games are not complete.
    pub(super) fn unfinished_generation(&self) -> u32 {
        (self.state.generation + 1..=u32::MAX)
            .find(|generation| !shard::path(&self.path, *generation).exists())
            .expect("there are fewer files than numbers")
    }

    /// Keeps the games that nobody has taken, for the next generations of a resumed training.
    pub(super) fn keep_waiting_games(&self, finished: &FinishedGames<'_>) -> Result<(), NetError> {
        let total = self.settings.learning.games as usize;
        // Games go on, but not for ever.
        let mut waiting = iter::from_fn(|| finished.waiting()).take(MOST_WAITING).peekable();
        while waiting.peek().is_some() {
            let (mut shard, before) = Shard::open(&self.path, self.unfinished_generation())?;
            let missing = total.saturating_sub(before.len());
            for game in waiting.by_ref().take(missing) {
                shard.append(game)?;
            }
            if waiting.peek().is_some() {
                shard.finish()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::sync::mpsc::{self, SyncSender};
    use std::time::Instant;

    use tabia_quantum::QuantumGame;

    use super::*;
    use crate::encoding::EncodedPosition;
    use crate::sample::PackedSample;
    use crate::settings::Preset;
    use crate::tensorboard;
    use crate::training::clock::Clock;
    use crate::training::{METRICS, StopReason};

    /// A continuous training in an empty directory.
    fn training(name: &str, assignments: &[&str]) -> (PathBuf, Training) {
        let path = std::env::temp_dir().join(format!("tabia-training-games-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        let mut settings = Preset::Tiny.settings();
        let tiny = [
            "continuous=1",
            "blocks=1",
            "generations=1",
            "games=2",
            "least_samples=1",
            "batch=4",
            "rate_every=0",
        ];
        for assignment in tiny.iter().chain(assignments) {
            settings.set(assignment).unwrap();
        }
        let training = Training::start(&path, settings, "test").unwrap();
        tensorboard::create(&path, &[], 0.0).unwrap();
        (path, training)
    }

    /// A game that is told from others by its seed; its number says nothing.
    fn game(seed: u64) -> PlayedGame {
        let position = EncodedPosition::new(&QuantumGame::default());
        let moves = Box::from([(7u16, 40_000u16), (9, 25_535)]);
        let sample = PackedSample { position, moves, wdl: [0.5, 0.25, 0.25] };
        PlayedGame { number: 99, samples: vec![sample], seed, ..PlayedGame::default() }
    }

    /// Trains while nobody plays: these games are waiting, and `report` may send more.
    fn train(
        training: &mut Training,
        seeds: impl IntoIterator<Item = u64>,
        halt: &Stop,
        report: &dyn Fn(&Progress<'_>, &SyncSender<PlayedGame>),
    ) -> Result<StopReason, NetError> {
        let (send, games) = mpsc::sync_channel(16);
        for seed in seeds {
            send.send(game(seed)).unwrap();
        }
        let (network, panicked) = (CurrentNetwork::new(Arc::new(HandcraftedEvaluator)), Stop::new());
        let finished = FinishedGames::new(games, &network, &panicked);
        let clock = Clock { started: Instant::now(), earlier_seconds: 0.0, budget: None, threads: 1 };
        training.continuous_generations(&finished, &clock, halt, &mut |progress| report(progress, &send))
    }

    /// Numbers and seeds of games.
    fn numbered(games: &[PlayedGame]) -> Vec<(u32, u64)> {
        games.iter().map(|game| (game.number, game.seed)).collect()
    }

    fn complete(path: &Path, generation: u32) -> Option<Vec<(u32, u64)>> {
        shard::read(path, generation).unwrap().map(|games| numbered(&games))
    }

    fn incomplete(path: &Path, generation: u32) -> Vec<(u32, u64)> {
        assert_eq!(complete(path, generation), None);
        numbered(&Shard::open(path, generation).unwrap().1)
    }

    #[test]
    fn games_that_wait_at_the_end_are_kept_however_it_ends() {
        for name in ["stopped", "finished", "failed"] {
            let (path, mut training) = training(name, &[]);
            let halt = Stop::new();
            if name == "stopped" {
                halt.stop();
            }
            if name == "failed" {
                // A file cannot take its place.
                fs::create_dir(path.join(METRICS)).unwrap();
            }
            let ending = train(&mut training, 1..=5, &halt, &|_, _| {});
            match name {
                "stopped" => assert_eq!(ending.unwrap(), StopReason::Stopped),
                "finished" => assert_eq!(ending.unwrap(), StopReason::Finished),
                _ => assert!(ending.unwrap_err().to_string().contains(METRICS)),
            }
            assert_eq!(complete(&path, 1), Some(vec![(0, 1), (1, 2)]), "{name}");
            assert_eq!(complete(&path, 2), Some(vec![(0, 3), (1, 4)]), "{name}");
            assert_eq!(incomplete(&path, 3), [(0, 5)], "{name}");
            fs::remove_dir_all(path).unwrap();
        }
    }

    #[test]
    fn a_generation_that_has_more_games_than_it_needs_gets_no_more() {
        let (path, mut training) = training("more", &[]);
        let (mut shard, _) = Shard::open(&path, 1).unwrap();
        for seed in 11..=13 {
            shard.append(game(seed)).unwrap();
        }
        drop(shard);
        let halt = Stop::new();
        halt.stop();
        train(&mut training, 1..=3, &halt, &|_, _| {}).unwrap();
        assert_eq!(complete(&path, 1), Some(vec![(0, 11), (1, 12), (2, 13)]));
        assert_eq!(complete(&path, 2), Some(vec![(0, 1), (1, 2)]));
        assert_eq!(incomplete(&path, 3), [(0, 3)]);
        fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn games_that_end_while_the_network_learns_belong_to_the_next_generation() {
        let (path, mut training) =
            training("meanwhile", &["generations=2", "games=1000", "generation_seconds=0.001"]);
        let report = |progress: &Progress<'_>, send: &SyncSender<PlayedGame>| {
            if matches!(progress, Progress::Learning { generation: 1, done: 1, .. }) {
                (2..=4).for_each(|seed| send.send(game(seed)).unwrap());
            }
        };
        assert_eq!(train(&mut training, [1], &Stop::new(), &report).unwrap(), StopReason::Finished);
        assert_eq!(complete(&path, 1), Some(vec![(0, 1)]));
        assert_eq!(complete(&path, 2), Some(vec![(0, 2), (1, 3), (2, 4)]));
        fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn a_finished_training_begins_no_games() {
        let (path, mut training) = training("begins", &[]);
        training.state.generation = 1;
        assert_eq!(training.run(1, None, &Stop::new(), &mut |_| {}).unwrap(), StopReason::Finished);
        assert!(!path.join("games-0002.part").exists());
        fs::remove_dir_all(path).unwrap();
    }
}
