//! Self-play with many concurrent games per thread: each has one leaf in flight, and a thread's leaves are evaluated in one batch.
//!
//! A game's random numbers are derived from its own number and nothing depends on concurrent games. A generation is therefore the
//! same with any number of threads, and games finished before an interruption need not be played again.
//!
//! [Continuous](continuous) self-play gives that up: games go on while the network learns, and take over each new network.

pub mod continuous;
mod game;
mod recorder;
pub mod transcript;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use tabia_core::Stop;
use tabia_mcts::{Evaluation, PolicyValue};
use tabia_quantum::{Action, QuantumGame};

use crate::error::NetError;
use crate::settings::Hyperparameters;
use crate::shard::PlayedGame;
use game::ActiveGame;

/// Capacity of the channel of finished games.
const CHANNEL_CAPACITY: usize = 64;

/// Self-play on threads of this process.
#[derive(Copy, Clone, Debug)]
pub struct SelfPlay<'a> {
    pub hyper: &'a Hyperparameters,
    /// Simulations of a full search.
    pub simulations: u32,
    /// Simulations of a quick search.
    pub quick_simulations: u32,
    /// Seed of all games.
    pub seed: u64,
    pub threads: usize,
}

impl SelfPlay<'_> {
    /// Plays the games with these numbers and passes on each as it ends. Returns whether all were played; when `stop` is raised,
    /// unfinished games are abandoned. So are they when the evaluator fails, which is an error.
    pub fn play(
        &self,
        evaluator: &dyn PolicyValue<QuantumGame>,
        numbers: &[u32],
        stop: &Stop,
        finished: &mut dyn FnMut(PlayedGame) -> Result<(), NetError>,
    ) -> Result<bool, NetError> {
        let taken = AtomicUsize::new(0);
        let next = || numbers.get(taken.fetch_add(1, Ordering::Relaxed)).copied();
        // Bounded: a slow receiver slows down play.
        let (send, receive) = mpsc::sync_channel(CHANNEL_CAPACITY);
        thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, numbers.len().max(1)) {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || self.work(evaluator, next, stop, &send));
            }
            drop(send);
            let mut count = 0;
            for game in receive {
                count += 1;
                if let Err(error) = finished(game) {
                    stop.stop();
                    return Err(error);
                }
            }
            match evaluator.failure() {
                Some(why) if count < numbers.len() => Err(NetError::Evaluator(why)),
                _ => Ok(count == numbers.len()),
            }
        })
    }

    /// Plays games on one thread until there is no next number, or `stop` is raised, or the evaluator fails.
    fn work(
        &self,
        evaluator: &dyn PolicyValue<QuantumGame>,
        next: &(dyn Fn() -> Option<u32> + Sync),
        stop: &Stop,
        finished: &mpsc::SyncSender<PlayedGame>,
    ) {
        let mut active: Vec<ActiveGame> = Vec::new();
        let mut evaluations: Vec<Evaluation> = Vec::new();
        loop {
            while active.len() < self.hyper.games_at_once as usize
                && let Some(number) = next()
            {
                active.push(ActiveGame::new(number, self));
            }
            if active.is_empty() || stop.is_stopped() {
                return;
            }
            let (mut games, mut actions): (Vec<QuantumGame>, Vec<Vec<Action>>) = Default::default();
            active.retain_mut(|game| {
                if let Some(leaf) = game.advance(self) {
                    games.push(leaf.game.clone());
                    actions.push(leaf.actions().to_vec());
                    return true;
                }
                // The receiver is gone after an error; the stop flag then ends this thread.
                let _ = finished.send(game.finish());
                false
            });
            evaluator.infer(&games, &actions, &mut evaluations);
            // Games are not played on with evaluations that count for nothing.
            if evaluator.failure().is_some() {
                return;
            }
            for (game, evaluation) in active.iter_mut().zip(&evaluations) {
                game.expand(evaluation);
            }
        }
    }
}
