//! The games of a generation: played for it, or taken from those that are played without end.

use std::collections::BTreeSet;
use std::iter;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use tabia_core::{Stop, seed};
use tabia_quantum::agents::HandcraftedEvaluator;

use super::game_stats::CountingEvaluator;
use super::{MOST_WAITING, Progress, Training, stream};
use crate::device::{Evaluator, NetworkRole};
use crate::error::NetError;
use crate::remote::{SelfPlayEvent, SelfPlaySettings};
use crate::selfplay::continuous::FinishedGames;
use crate::shard::{self, PlayedGame, Shard};

impl Training {
    /// Games of a generation, including those finished before an interruption; `None` if interrupted now.
    pub(super) fn games(
        &self,
        generation: u32,
        continuous: Option<&FinishedGames<'_>>,
        threads: usize,
        leaves: &AtomicU64,
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
        leaves: &AtomicU64,
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
                let evaluator = CountingEvaluator { evaluator, leaves };
                settings.local(threads).play(&evaluator, &missing, halt, &mut |game| {
                    on_event(SelfPlayEvent::Played(Box::new(game)), &mut present)
                })?
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
                    shard.add(&game)?;
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

    /// Keeps the games that were finished while the network learned, for the generations after an interruption.
    pub(super) fn keep_waiting_games(&self, finished: &FinishedGames<'_>) -> Result<(), NetError> {
        let total = self.settings.learning.games as usize;
        // Games go on, but not for ever.
        let mut waiting = iter::from_fn(|| finished.waiting()).take(MOST_WAITING).peekable();
        while waiting.peek().is_some() {
            let (mut shard, before) = Shard::open(&self.path, self.unfinished_generation())?;
            let missing = total.saturating_sub(before.len());
            for game in waiting.by_ref().take(missing) {
                shard.add(&game)?;
            }
            if waiting.peek().is_some() {
                shard.finish()?;
            }
        }
        Ok(())
    }
}
